/* Writes a search as JSON: its findings with their texts, and its history. */
#ifndef GLIMPSE_ANALYSIS_WHY_SEARCH_JSON_H
#define GLIMPSE_ANALYSIS_WHY_SEARCH_JSON_H

#include "analysis/why/why.h"
#include "base/json.h"

const char *verdict_name(enum search_verdict v);
/* Writes the members of an object, each on its own line. directory: what the commands name. */
void search_json(struct json *j, const char *directory, const struct why *w);

#endif
