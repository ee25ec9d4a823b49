/*
 * Computes what the spans that a measure selects cost: intervals of the run's time in which
 * processors are idle because of them.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_COST_H
#define GLIMPSE_ANALYSIS_WHY_COST_H

#include "analysis/why/focus.h"

struct cost {
	double time;          /* ns of the run */
	bool ready;           /* of threads that could run: what no other cost has */
	moment_ranges ranges; /* joined */
};

void cost_of(const struct evidence *g, const struct focus *f, const struct test_measure *m,
	     struct cost *c);
void cost_free(struct cost *c);
/* Returns when any of the selected spans of a focus lasts: ranges that are joined, the caller's. */
moment_ranges moments_of(const struct evidence *g, const struct focus *f, const bool *places);
/*
 * Returns what no thread uses of the processors' time in ranges that are joined. It is that of the
 * run alone (idle_alone()), on the scale of the focus's time: what others took is in no cost.
 */
double ranges_unused(const struct idle *l, const struct focus *f, const struct moment_range *r,
		     size_t n);

#endif
