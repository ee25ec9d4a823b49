/* Joins, intersects and sums ranges of time. Joined ranges are in the order of time, and apart. */
#ifndef GLIMPSE_BASE_RANGES_H
#define GLIMPSE_BASE_RANGES_H

#include "base/array.h"
#include <stdint.h>

struct moment_range {
	int64_t from, to;
};
typedef VECTOR(struct moment_range) moment_ranges;

static inline int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Sorts ranges and joins those that overlap; returns how many there are. */
size_t ranges_join(struct moment_range *r, size_t n);
/* Adds a range to those that need not be joined yet; if it continues the last one, to that. */
void ranges_add(moment_ranges *ranges, struct moment_range r);
/* Adds joined ranges to joined ranges; the others are used up, but still to be freed. */
void ranges_take(moment_ranges *ranges, moment_ranges *others);

/* The rest is of joined ranges. */

int64_t ranges_length(const moment_ranges *ranges);
/* Returns how much of a time is in the ranges. */
int64_t ranges_within(const moment_ranges *ranges, int64_t from, int64_t to);
/* Returns how much of the time of the ranges of one is in those of the other. */
int64_t ranges_common(const moment_ranges *a, const moment_ranges *b);

#endif
