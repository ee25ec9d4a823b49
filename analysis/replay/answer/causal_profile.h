/*
 * Computes the causal profile of a run: the gain if a function, a lock, a call site, input and
 * output or the processors are several times as fast, and if they take no time.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_CAUSAL_PROFILE_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_CAUSAL_PROFILE_H

#include "analysis/replay/answer/predicted_time.h"
#include "analysis/replay/answer/prediction.h"

enum profile_kind {
	PROFILE_FUNCTION, /* what it computes itself, without what it calls */
	PROFILE_INTERVAL,
	PROFILE_IO,
	PROFILE_SITE,
	PROFILE_LOCK,       /* it is held for less time */
	PROFILE_PROCESSORS, /* so many times as many; without: as many as are wanted */
};

const char *profile_kind_name(enum profile_kind kind);

/* How many times as fast; the last one is INFINITY: without it. */
enum { PROFILE_FACTORS = 5, PROFILE_TWICE = 2 };
extern const double profile_factors[PROFILE_FACTORS];

/*
 * What is replayed unless more is asked for: so many candidates twice as fast, and of the best so
 * many all factors.
 */
enum { PROFILE_TRIED = 30, PROFILE_ROWS = 10 };

struct profile_row {
	enum profile_kind kind;
	const char *what; /* the trace keeps it */
	/* not known: there is no such change, its replay is stuck, or contradicts others */
	struct predicted_time points[PROFILE_FACTORS];
	struct predicted_time removed; /* of a lock: nobody acquires it, the holders' work stays */
};

/* Returns what --speed calls it, as own(NAME) for a function; the caller frees it. */
char *profile_row_name(const struct profile_row *row);

struct causal_profile {
	struct profile_row *rows; /* what gains most if it is twice as fast first */
	size_t n;
	size_t candidates,
	    /* that have time on the critical path, PROFILE_TRIED at most; and were replayed */
	    tried;
	/* the time of the run without changes and without what it cost to record it, ns */
	int64_t before;
};

/*
 * rows: so many rows, of at least as many candidates; 0: as many as an answer within seconds
 * allows, by the number of operations and events of the run. Never returns NULL. The set of the
 * prediction has SPANS_ALL and SPANS_NAMED. The changed replay of the prediction is another one
 * then.
 */
struct causal_profile *causal_profile_of(struct prediction *p, size_t rows);
void causal_profile_free(struct causal_profile *c);

/* Returns how many candidates of n are replayed, of a run whose replay has so many steps. */
size_t profile_tried(size_t n, uint64_t steps);

#endif
