/* Computes the measures of a focus, from one table that says what each is, needs and is about. */
#ifndef GLIMPSE_ANALYSIS_WHY_MEASURES_H
#define GLIMPSE_ANALYSIS_WHY_MEASURES_H

#include "analysis/why/focus.h"

/* What a finding about a measure costs, and in which words it says so. */
enum measure_subject {
	OF_SPANS,    /* what cost() and share() are of the selected spans */
	OF_SWITCHES, /* switches of threads that could go on, and threads that lack processors */
	OF_PAGING,   /* the kernel's work for the memory of threads */
	OF_MOMENTS,  /* when any of the selected spans lasts, whatever else threads do meanwhile */
	OF_HANG,     /* waits that never end: what nobody uses from the last one on */
	OF_ITSELF,   /* the value, as a share of the run */
};
enum measure_subject measure_subject(const struct test_measure *m);

/* Bits: events that it needs beside those of the instances that it selects. */
enum {
	NEEDS_ENDERS = 1 << 0,  /* what ends the waits */
	NEEDS_HOLDERS = 1 << 1, /* who has what the waits are for, and what ends them */
	NEEDS_PAGING = 1 << 2,
	NEEDS_THROTTLED = 1 << 3,
};
unsigned measure_needs(const struct test_measure *m);

/*
 * Returns the value of a measure, NAN if it is not known; `about`: of what the hypothesis is, which
 * "holder" asks about.
 */
double focus_measure(const struct evidence *g, const struct focus *f, const struct test_measure *m,
		     const struct test_measure *about);
/* Computes n measures in one pass, for focus_measure(). Those that need `about` are left out. */
void focus_measure_all(const struct evidence *g, const struct focus *f,
		       const struct test_measure *wanted, size_t n);
/* Sets *result to a value as conditions compare it. Returns false if it is not known. */
bool measure_result(const struct test_measure *m, double value, struct value *result);

#endif
