/* A search for what makes the program slow, as the page gets it. */
#ifndef GLIMPSE_GORGE_SERVER_WHY_SEARCH_H
#define GLIMPSE_GORGE_SERVER_WHY_SEARCH_H

#include "analysis/graph/critical_path.h"

struct found_why {
	char *said;                     /* JSON; if there is no path, what is wrong with the hypotheses */
	size_t size;
	char *headline;                 /* JSON: {"ready": true, "lines": [...]} */
	struct critical_path *path;
};

/*
 * The trace may find instances of intervals, for one caller a time. directory: what commands name. If task_current is
 * stopped, there is no path.
 */
struct found_why *found_why_new(struct trace *t, const char *directory);
/* Frees it; NULL is nothing. */
void found_why_free(struct found_why *w);

#endif
