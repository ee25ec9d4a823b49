/* Writes a search for what makes the program slow, for the page. */
#ifndef GLIMPSE_GORGE_QUERY_FOUND_WHY_H
#define GLIMPSE_GORGE_QUERY_FOUND_WHY_H

#include "analysis/graph/critical_path.h"
#include "viewers/gorge/query/view.h"

struct found_why {
	char *said; /* JSON; if there is no path, what is wrong with the hypotheses */
	size_t size;
	char *headline; /* JSON: {"ready": true, "lines": [...]} */
	struct critical_path *path;
};

/*
 * Searches a window of a trace (the path is that of all of it). The trace may find instances of
 * intervals, for one caller a time. directory: what commands name. If task_current is stopped,
 * there is no path.
 */
struct found_why *found_why_new(struct trace *t, const struct window *window,
				const char *directory);
/* Frees it; NULL is nothing. */
void found_why_free(struct found_why *w);

#endif
