/* Computes how much faster parts of the threads' time become. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_SPEEDS_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_SPEEDS_H

#include "analysis/replay/changes/device.h"
#include "analysis/replay/changes/fit.h"

struct speed_rules {
	/* where several apply, their product holds; else that which began last */
	bool multiply;
	uint64_t seed;                 /* of the lengths that are drawn */
	uint32_t only;                 /* the only change that is made; NOT_CHANGED: all are */
	const struct fits *fits;       /* of changes of DISTRIBUTION_FIT; NULL: there are none */
	const struct devices *devices; /* of input and output; NULL: there are none */
};

/*
 * The share of its time that remains: while a thread runs, and while it waits for no other thread.
 */
struct kept_time {
	double running, waiting;
};

/* From `from` on, up to the next one. */
struct speed {
	int64_t from;
	struct kept_time kept;
};

struct speeds {
	/* by thread, in the order of time; the first of each is at INT64_MIN */
	VECTOR(struct speed) all;
	size_t *first; /* of each thread, and one more */
};

struct speeds *speeds_of(const struct model *m, const struct span_choice *c,
			 const struct span_change *changes, const struct speed_rules *rules);
/*
 * Returns how long each chosen instance was, but for waits for other threads, as an array that the
 * caller frees.
 */
double *span_lengths(const struct model *m, const struct span_choice *c);
/* Returns speeds at which both hold; nthreads: those of the trace. */
struct speeds *speeds_product(const struct speeds *a, const struct speeds *b, uint32_t nthreads);
void speeds_free(struct speeds *s);

/*
 * Returns how long the time from one time to another becomes, if the thread runs and if it waits.
 * *cursor is the thread's first[] at the first call. Later calls continue from it: they must be
 * about the same thread and not about an earlier time.
 */
struct kept_time speeds_length(const struct speeds *s, size_t end, size_t *cursor, int64_t from,
			       int64_t to);

/* Returns a cursor for such calls about a thread from a time on; s: NULL: none is needed. */
size_t speeds_at(const struct speeds *s, uint32_t thread, int64_t time);

#endif
