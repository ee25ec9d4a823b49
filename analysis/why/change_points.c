#include "analysis/why/change_points.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * What is near in time is alike: the order of so many pieces of the series is changed, not of bins.
 */
enum { BLOCKS = 32, BLOCK_LEAST = 8, ORDERS = 999 };
/* What sums in another order differ by is no difference. */
#define SAME (1 - 1e-9)

double change_gain(const double *values, size_t n, size_t measures, size_t first, size_t last,
		   size_t *at)
{
	double *before = array_zero(measures, sizeof *before),
	       *all = array_zero(measures, sizeof *all);
	double most = 0;

	for (size_t i = 0; i < n * measures; i++)
		all[i % measures] += values[i];
	for (size_t i = 1; i < n && i <= last; i++) {
		double left = (double)i, right = (double)(n - i), gain = 0;

		for (size_t m = 0; m < measures; m++) {
			double difference;

			before[m] += values[(i - 1) * measures + m];
			difference = before[m] / left - (all[m] - before[m]) / right;
			gain += difference * difference;
		}
		gain *= left * right / (double)n;
		if (i >= first && gain > most) {
			most = gain;
			*at = i;
		}
	}
	free(before);
	free(all);
	return most;
}

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void blocks_shuffle(size_t *blocks, size_t n, uint64_t *state)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = random_next(state) % i, other = blocks[k];

		blocks[k] = blocks[i - 1];
		blocks[i - 1] = other;
	}
}

/* Part of a series: bins, and those before which it may be split. */
struct series_part {
	const double *values;
	size_t n, measures;
	size_t first, last;
};

static void blocks_copy(const struct series_part *b, const size_t *order, size_t blocks,
			size_t length, double *other)
{
	for (size_t i = 0; i < blocks; i++) {
		size_t from = order[i] * length, bins = from + length < b->n ? length : b->n - from;

		memcpy(other, b->values + from * b->measures, bins * b->measures * sizeof *other);
		other += bins * b->measures;
	}
}

/*
 * Whether of all orders of the blocks that are tried, at most a part `level` has a split as good.
 */
static bool split_is_rare(const struct series_part *b, double gain, double level)
{
	size_t length = b->n > BLOCKS * BLOCK_LEAST ? (b->n + BLOCKS - 1) / BLOCKS : BLOCK_LEAST;
	size_t blocks = (b->n + length - 1) / length, unused;
	double *other = array_new(b->n * b->measures, sizeof *other);
	size_t *order = array_new(blocks, sizeof *order);
	unsigned as_good = 1, most = (unsigned)(level * (ORDERS + 1));
	uint64_t state = b->n;

	for (size_t i = 0; i < blocks; i++)
		order[i] = i;
	for (unsigned i = 0; i < ORDERS && as_good <= most; i++) {
		blocks_shuffle(order, blocks, &state);
		blocks_copy(b, order, blocks, length, other);
		as_good += change_gain(other, b->n, b->measures, b->first, b->last, &unused) >=
			   gain * SAME;
	}
	free(other);
	free(order);
	return as_good <= most;
}

/* The largest difference of a measure's means on both sides of a split. */
static double split_size(const double *values, size_t n, size_t measures, size_t at)
{
	double most = 0;

	for (size_t m = 0; m < measures; m++) {
		double left = 0, right = 0, difference;

		for (size_t i = 0; i < n; i++)
			*(i < at ? &left : &right) += values[i * measures + m];
		difference = fabs(left / (double)at - right / (double)(n - at));
		most = difference > most ? difference : most;
	}
	return most;
}

/*
 * Where a part changes most: before bin *at, from bin *cut on and before *end. What is at either
 * end and too short for a phase is cut off first, as the best split would be beside it; it stays a
 * part of the phase that it is next to. Returns the gain; 0: there is no split.
 */
static double split_find(const double *part, size_t n, size_t measures, size_t least, size_t *cut,
			 size_t *end, size_t *at)
{
	*cut = 0;
	*end = n;
	for (double gain; n >= 2 * least;) {
		gain =
		    change_gain(part + *cut * measures, *end - *cut, measures, 1, *end - *cut, at);
		*at += *cut;
		if (gain <= 0 || (*at >= least && *at + least <= n))
			return gain;
		*(*at < least ? cut : end) = *at;
	}
	return 0;
}

/* Finds the changes in n bins from `first` on. */
static void part_find(const double *values, size_t first, size_t n, size_t measures,
		      const struct change_rule *rule, change_points *found)
{
	const double *part = values + first * measures;
	size_t cut, end, at = 0;
	double gain = split_find(part, n, measures, rule->least, &cut, &end, &at);
	struct series_part b;

	if (gain <= 0)
		return;
	b = (struct series_part){part + cut * measures, end - cut, measures, rule->least - cut,
				 n - rule->least - cut};
	if (split_size(b.values, b.n, measures, at - cut) < rule->size ||
	    !split_is_rare(&b, gain, rule->level))
		return;
	part_find(values, first, at, measures, rule, found);
	*vector_add(found) = first + at;
	part_find(values, first + at, n - at, measures, rule, found);
}

void change_points_find(const double *values, size_t n, size_t measures,
			const struct change_rule *rule, change_points *found)
{
	part_find(values, 0, n, measures, rule, found);
}
