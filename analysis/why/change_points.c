#include "analysis/why/change_points.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What is near in time is alike: the order of so many pieces of the series is changed, not of bins. */
enum { BLOCKS = 32, ORDERS = 199 };

double change_gain(const double *values, size_t n, size_t measures, size_t least, size_t *at)
{
	double *before = array_zero(measures, sizeof *before), *all = array_zero(measures, sizeof *all);
	double most = 0;

	for (size_t i = 0; i < n * measures; i++)
		all[i % measures] += values[i];
	for (size_t i = 1; i + least <= n; i++) {
		double left = (double)i, right = (double)(n - i), gain = 0;

		for (size_t m = 0; m < measures; m++) {
			double difference;

			before[m] += values[(i - 1) * measures + m];
			difference = before[m] / left - (all[m] - before[m]) / right;
			gain += difference * difference;
		}
		gain *= left * right / (double)n;
		if (i >= least && gain > most) {
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

/* How often another order of the blocks has a split as good, of all orders that were tried. */
static double split_chance(const double *values, size_t n, size_t measures, size_t least, double gain)
{
	size_t length = (n + BLOCKS - 1) / BLOCKS, blocks = (n + length - 1) / length, unused;
	double *other = array_new(n * measures, sizeof *other);
	size_t *order = array_new(blocks, sizeof *order);
	unsigned as_good = 1;
	uint64_t state = n;

	for (size_t i = 0; i < blocks; i++)
		order[i] = i;
	for (unsigned i = 0; i < ORDERS; i++) {
		size_t to = 0;

		blocks_shuffle(order, blocks, &state);
		for (size_t b = 0; b < blocks; b++) {
			size_t from = order[b] * length;
			size_t bins = from + length < n ? length : n - from;

			memcpy(other + to * measures, values + from * measures, bins * measures * sizeof *other);
			to += bins;
		}
		as_good += change_gain(other, n, measures, least, &unused) >= gain;
	}
	free(other);
	free(order);
	return (double)as_good / (ORDERS + 1);
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

/* Finds the changes in n bins from `first` on. */
static void part_find(const double *values, size_t first, size_t n, size_t measures,
		      const struct change_rule *rule, change_points *found)
{
	const double *part = values + first * measures;
	size_t at = 0;
	double gain = change_gain(part, n, measures, rule->least, &at);

	if (gain <= 0 || split_size(part, n, measures, at) < rule->size ||
	    split_chance(part, n, measures, rule->least, gain) > rule->level)
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
