/* Reads values in any order, in chunks anywhere in memory, on all processors. */
#ifndef GLIMPSE_NIBBLE_SAMPLE_VALUES_H
#define GLIMPSE_NIBBLE_SAMPLE_VALUES_H

#include "viewers/nibble/sample/samples.h"
#include "viewers/nibble/sample/windows.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values in one array, with their times if these are known; borrowed. */
struct value_chunk {
	const double *at, *time;
	size_t n;
	size_t window; /* the window of all of them */
};

struct values {
	struct value_chunk *at; /* in the order of their windows */
	size_t n, room;
	/* Of the finite values, set by values_settle(): */
	size_t finite, positive;
	double least, greatest; /* least > greatest: there are none */
	double least_positive;  /* INFINITY: there is none */
	bool whole;             /* all are whole numbers */
};

/* Adds n values of a window. times: of each value, or NULL. */
void values_add(struct values *p, const double *values, const double *times, size_t n,
		size_t window);
void values_settle(struct values *p);
void values_clear(struct values *p);

/* Returns the first chunk of each of n windows, and the end of the last; the caller frees it. */
size_t *values_windows(const struct values *p, size_t n);

/* Returns the values of samples in the windows, settled. The samples are in order of time. */
struct values values_of_samples(const struct value_samples *s, const struct windows *windows);

/* The values in one of very many parts of a range. */
struct value_slot {
	size_t n, at_least; /* how many there are, and how many equal the least */
	double least, greatest;
};

enum { VALUE_SLOTS = 1 << 14 };

/*
 * Counts the finite values from low to high in VALUE_SLOTS parts, which the caller frees.
 * logarithmic: parts of about equal ratio; low > 0 then.
 */
struct value_slot *values_slots(const struct values *p, double low, double high, bool logarithmic);

/* Returns the finite value of that rank, from 0. rank < finite. */
double values_ranked(const struct values *p, size_t rank);

/* Calls work for each chunk, on all processors; see parallel_for(). */
void values_each(const struct values *p,
		 void (*work)(void *context, const struct value_chunk *s, unsigned worker),
		 void *context);

#endif
