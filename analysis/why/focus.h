/* Represents a part of the program, for a part of its time, and what a measure selects of it. */
#ifndef GLIMPSE_ANALYSIS_WHY_FOCUS_H
#define GLIMPSE_ANALYSIS_WHY_FOCUS_H

#include "analysis/why/evidence.h"
#include "base/ranges.h"

/* A value that was asked. */
struct measured {
	struct test_measure measure;
	const struct test_measure *about; /* if the value depends on it; else NULL */
	double value;
};

struct measured_list {
	VECTOR(struct measured) all;
};

struct focus {
	int64_t from, to;
	bool *threads; /* by index: whose lives are those of the focus; owned */
	/* Which spans are in it; owned. NULL: all. */
	bool *places, *only_threads; /* by index */
	int64_t holder;              /* a key; NO_KEY: any */
	bool of_pair;                /* only waits of one thread for another */
	uint32_t pair_blocker, pair_thread;
	bool deadlocked; /* only waits of a deadlock */
	bool picks;      /* a holder, a pair or a deadlock is asked */
	/* values that were asked: hypotheses share measures; owned */
	struct measured_list *measured;
};

/* All of the program between two times. */
struct focus focus_all(const struct evidence *g, int64_t from, int64_t to);
void focus_free(struct focus *f);
struct focus focus_copy(const struct evidence *g, const struct focus *f);
static inline double part_of(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* Returns the time of the focus' threads, in its time. */
int64_t focus_lives(const struct evidence *g, const struct focus *f);

/*
 * Returns whether a measure, which is of no state and no event, selects the instances of an
 * interval.
 */
bool test_selects_role(const struct test_measure *m, const struct role *r);
/* The places that a measure selects, by index; to be freed. */
bool *test_places(const struct evidence *g, const struct test_measure *m);

#endif
