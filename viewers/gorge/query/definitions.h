/* Specifications that a user of the page writes. */
#ifndef GLIMPSE_GORGE_QUERY_DEFINITIONS_H
#define GLIMPSE_GORGE_QUERY_DEFINITIONS_H

#include "spec/spec.h"

/* Whether the text may be one that imports a file. */
bool definitions_import(const char *text);

/* As spec_parse(); it cannot import files, for the text comes from a browser. */
struct spec *definitions_read(const char *text, struct diag *diag);

#endif
