/* All of a search as JSON: its findings, with what is said of them, and its history. */
#ifndef GLIMPSE_ANALYSIS_WHY_SEARCH_JSON_H
#define GLIMPSE_ANALYSIS_WHY_SEARCH_JSON_H

#include "analysis/rank/rank.h"
#include "analysis/why/busy.h"
#include "analysis/why/search.h"
#include <stdio.h>

const char *verdict_name(enum verdict v);
/* directory: what the commands name. rank: of all subjects; NULL, if there are no findings. */
void search_json(FILE *out, const char *directory, const struct search *s, const struct rank *rank,
		 const struct busy *busy);

#endif
