/* Values in no order, wherever they lie, looked at by all processors. */
#ifndef GLIMPSE_NIBBLE_SAMPLE_VALUES_H
#define GLIMPSE_NIBBLE_SAMPLE_VALUES_H

#include "viewers/nibble/sample/samples.h"
#include "viewers/nibble/sample/windows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values that lie one behind the other, and when they were where that is known; borrowed. */
struct value_chunk {
	const double *at, *time;
	size_t n;
	size_t window; /* that they stand in */
};

struct values {
	struct value_chunk *at; /* in the order of their windows */
	size_t n, room;
	/* Of those that are finite, known once the pool is settled: */
	size_t finite, positive;
	double least, greatest; /* least > greatest: there is none */
	double least_positive;	/* INFINITY: there is none */
	bool whole;		/* all are whole numbers */
};

/* times: of each value, or NULL. */
void values_add(struct values *p, const double *values, const double *times, size_t n, size_t window);
void values_settle(struct values *p);
void values_clear(struct values *p);

/* Where in the pool the stretches of each of n windows begin, and the last one's end; the caller's.
 */
size_t *values_windows(const struct values *p, size_t n);

/* The values of samples in the windows, settled. Samples in order of time. */
struct values values_of_samples(const struct samples *s, const struct windows *windows);

/* One of very many parts of a range of values. */
struct value_slot {
	size_t n, at_least; /* how many are in it, and of these equal to the least */
	double least, greatest;
};

enum { VALUE_SLOTS = 1 << 14 };

/*
 * Counts the finite values from low to high in VALUE_SLOTS parts, from low to high, which are the
 * caller's to free. logarithmic: parts of about equal ratio; low > 0 then.
 */
struct value_slot *values_slots(const struct values *p, double low, double high, bool logarithmic);

/* The finite value of that rank, from 0, as if they were sorted. rank < finite. */
double values_ranked(const struct values *p, size_t rank);

/* Calls work for each stretch, on all processors; see parallel_for(). */
void values_each(const struct values *p,
	       void (*work)(void *context, const struct value_chunk *s, unsigned worker),
	       void *context);

#endif
