/* Finds which threads other threads waited for, and what these did meanwhile. */
#ifndef GLIMPSE_GORGE_SERVER_WAIT_SEARCH_H
#define GLIMPSE_GORGE_SERVER_WAIT_SEARCH_H

#include "trace/trace.h"

struct why;
/*
 * The trace may find instances of intervals, for one caller a time. Returns NULL if nothing can be
 * known.
 */
struct why *found_waits_new(struct trace *t);
/* Frees it; NULL is nothing. */
void found_waits_free(struct why *w);

struct waited {
	uint32_t thread; /* index, of the one that was waited for */
	int64_t time;    /* ns */
	char *did;       /* "95.0 % in transform", to be freed; NULL: not known */
};
/*
 * Finds the wait of a thread (index) in [from, to] that another thread ended. Returns false if
 * there is none.
 */
bool found_waits_look(const struct why *w, uint32_t thread, int64_t from, int64_t to,
		      struct waited *found);

#endif
