/*
 * Represents a part of the program, for a part of its time, and computes its measures. Costs are
 * intervals of the run's time in which processors are idle because of something.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_FOCUS_H
#define GLIMPSE_ANALYSIS_WHY_FOCUS_H

#include "analysis/why/evidence.h"

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
/* Returns the time of the focus' threads, in its time. */
int64_t focus_lives(const struct evidence *g, const struct focus *f);

struct moment_range {
	int64_t from, to;
};
typedef VECTOR(struct moment_range) moment_ranges;

struct cost {
	double time;          /* ns of the run */
	bool ready;           /* of threads that could run: what no other cost has */
	moment_ranges ranges; /* in the order of time, apart from each other */
};

/*
 * Returns whether a measure, which is of no state and no event, selects the instances of an
 * interval.
 */
bool test_selects_role(const struct test_measure *m, const struct role *r);
/* Returns whether a measure selects the spans of a place. */
bool test_selects(const struct evidence *g, const struct test_measure *m,
		  const struct span_place *p);
/* The places that a measure selects, by index; to be freed. */
bool *test_places(const struct evidence *g, const struct test_measure *m);

/* What the spans that a measure selects cost. */
void cost_of(const struct evidence *g, const struct focus *f, const struct test_measure *m,
	     struct cost *c);
void cost_free(struct cost *c);
/* Sorts ranges and joins those that overlap; returns how many there are. */
size_t ranges_join(struct moment_range *r, size_t n);
/*
 * Returns what no thread uses of the processors' time in ranges that are joined. It is that of the
 * run alone (idle_alone()), on the scale of the focus's time: what others took is in no cost.
 */
double ranges_unused(const struct idle *l, const struct focus *f, const struct moment_range *r,
		     size_t n);
/* Returns how much of a time is in the ranges. */
int64_t cost_within(const struct cost *c, int64_t from, int64_t to);
/* Returns how much of the time of the ranges of one is in those of the other. */
int64_t cost_common(const struct cost *a, const struct cost *b);
int64_t cost_length(const struct cost *c);

/*
 * Returns the value of a measure; `about`: of what the hypothesis is, which "holder" asks about.
 */
double focus_measure(const struct evidence *g, const struct focus *f, const struct test_measure *m,
		     const struct test_measure *about);
/* Computes n measures in one pass, for focus_measure(). TEST_HOLDER must not be among them. */
void focus_measure_all(const struct evidence *g, const struct focus *f,
		       const struct test_measure *measures, size_t n);

/*
 * Adds to the sum of each thread in focus its events of a name in that time, or the values of an
 * attribute: "Event.attribute".
 */
void focus_event_sums(const struct evidence *g, const struct focus *f, const char *name,
		      double *sums);

#endif
