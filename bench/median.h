#ifndef GLIMPSE_BENCH_MEDIAN_H
#define GLIMPSE_BENCH_MEDIAN_H

#include <stdlib.h>

static inline int compare_doubles(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The middle one of n values, which are sorted. */
static inline double median(double *values, unsigned n)
{
	qsort(values, n, sizeof *values, compare_doubles);
	return values[n / 2];
}

#endif
