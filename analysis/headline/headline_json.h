/* Writes the headline as JSON, alone and with all findings. */
#ifndef GLIMPSE_ANALYSIS_HEADLINE_HEADLINE_JSON_H
#define GLIMPSE_ANALYSIS_HEADLINE_HEADLINE_JSON_H

#include "analysis/headline/headline.h"
#include "base/json.h"
#include <stdio.h>

/*
 * Writes the lines as an array of objects: the whole text, and its parts, each with kind, text, and
 * what it links to. NULL: an empty array.
 */
void headline_json(struct json *j, const char *key, const struct headline *h);
/* Writes the headline and what was found as one object. directory: what commands name. */
void why_json(FILE *out, const char *directory, const struct why *w, const struct headline *h);

#endif
