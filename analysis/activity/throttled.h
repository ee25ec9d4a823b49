/*
 * Reads for how long the program was denied processors because it had used its share of them: the
 * events with the style "throttled".
 */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_THROTTLED_H
#define GLIMPSE_ANALYSIS_ACTIVITY_THROTTLED_H

#include "base/array.h"
#include "trace/trace.h"

/* In a time so many ns of processors were withheld: the sum over the processors. */
struct throttled {
	int64_t from, to;
	int64_t withheld;
};

typedef VECTOR(struct throttled) throttled_list;

/* Returns all of them by time, none within another; a pass over their events. */
throttled_list throttled_of(const struct trace *t);
/*
 * Returns "for 1.6 s of processor time (remedy: raise cpu.max ...)"; NULL: it was not, as far as is
 * known. The caller frees it.
 */
char *throttled_text(const struct trace *t);

#endif
