/* Reads specifications that a user of the page writes. */
#ifndef GLIMPSE_GORGE_QUERY_DEFINITIONS_H
#define GLIMPSE_GORGE_QUERY_DEFINITIONS_H

#include "spec/spec.h"

/* Returns whether a text may import a file. */
bool definitions_import(const char *text);
/*
 * Reads a specification like spec_parse(), but without imports: the text comes from a browser. It
 * was made of that of another one, which says which specification the names in it come from.
 */
struct spec *definitions_read(const char *text, const struct spec *from, struct diag *diag);

#endif
