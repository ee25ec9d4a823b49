#include "match/stats/run_test.h"
#include "base/array.h"
#include "base/hash.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The number of ways to choose k of n; no more than a little above `most`. */
static double choices(unsigned n, unsigned k, double most)
{
	double ways = 1;

	k = k < n - k ? k : n - k;
	for (unsigned i = 1; i <= k && ways <= most; i++)
		ways = ways * (n - k + i) / i;
	return ways;
}

double run_test_reach(unsigned before, unsigned after)
{
	double splits =
	    fmin(round(choices(before + after, before, RUN_SPLITS_MOST)), RUN_SPLITS_MOST);

	/* with groups of one size, the same groups the other way round part them as clearly */
	return fmin((before == after ? 2 : 1) / splits, 1);
}

/* ---- splits ---- */

struct splits {
	unsigned runs, before;
	unsigned *chosen; /* ascending: the runs of the first group */
	bool drawn;       /* at random; else one after the other */
	uint64_t state;
	unsigned *deck;
};

/* The first split is the one that was made. */
static struct splits splits_begin(unsigned before, unsigned after)
{
	struct splits s = {.runs = before + after, .before = before};

	s.drawn = choices(s.runs, before, RUN_SPLITS_MOST) > RUN_SPLITS_MOST + 0.5;
	s.chosen = array_new(s.runs, sizeof *s.chosen);
	s.deck = array_new(s.runs, sizeof *s.deck);
	for (unsigned i = 0; i < s.runs; i++)
		s.chosen[i] = s.deck[i] = i;
	return s;
}

static void split_draw(struct splits *s)
{
	for (unsigned i = 0; i < s->before; i++) {
		unsigned other, card = s->deck[i];

		s->state = hash_mix(s->state + i + 1);
		other = i + (unsigned)(s->state % (s->runs - i));
		s->deck[i] = s->deck[other];
		s->deck[other] = card;
		s->chosen[i] = s->deck[i];
	}
}

/* Goes on to the next split; returns false after the last one. */
static bool split_next(struct splits *s)
{
	unsigned i = s->before;

	if (s->drawn) {
		split_draw(s);
		return true;
	}
	while (i > 0 && s->chosen[i - 1] == s->runs - s->before + i - 1)
		i--;
	if (!i)
		return false;
	s->chosen[i - 1]++;
	for (; i < s->before; i++)
		s->chosen[i] = s->chosen[i - 1] + 1;
	return true;
}

static void splits_end(struct splits *s)
{
	free(s->chosen);
	free(s->deck);
}

/* ---- the test ---- */

/*
 * Writes a measure's values with mean 0 and length 1, a row for each run. Then |t| grows with the
 * absolute sum of the values of one group, by the same function for all measures.
 */
static void measure_norm(double *rows, size_t n, size_t at, const double *values, unsigned runs)
{
	double mean = 0, squares = 0, most = 0;

	for (unsigned i = 0; i < runs; i++) {
		mean += values[i] / runs;
		most = fmax(most, fabs(values[i]));
	}
	for (unsigned i = 0; i < runs; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	/* what is less than rounding leaves is no difference */
	if (sqrt(squares) <= 1e-12 * most)
		squares = INFINITY;
	for (unsigned i = 0; i < runs; i++)
		rows[i * n + at] = (values[i] - mean) / sqrt(squares);
}

/* Sums the rows of a split's first group; returns the greatest absolute sum. */
static double split_sum(const struct splits *s, const double *rows, size_t n, double *sums)
{
	double most = 0;

	memset(sums, 0, n * sizeof *sums);
	for (unsigned k = 0; k < s->before; k++)
		for (size_t i = 0; i < n; i++)
			sums[i] += rows[s->chosen[k] * n + i];
	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(sums[i]));
	return most;
}

void run_test(const double *const *values, size_t n, unsigned before, unsigned after, double *p)
{
	struct splits s = splits_begin(before, after);
	double *rows = array_new(s.runs * n + 1, sizeof *rows);
	double *made = array_new(n + 1, sizeof *made), *sums = array_new(n + 1, sizeof *sums);
	unsigned splits = 0;

	for (size_t i = 0; i < n; i++) {
		measure_norm(rows, n, i, values[i], s.runs);
		p[i] = 0;
	}
	split_sum(&s, rows, n, made);
	do {
		double most = split_sum(&s, rows, n, sums);

		for (size_t i = 0; i < n; i++)
			p[i] += most >= fabs(made[i]) - 1e-9;
	} while (++splits < RUN_SPLITS_MOST && split_next(&s));
	for (size_t i = 0; i < n; i++)
		p[i] = made[i] == 0 ? 1 : p[i] / splits;
	free(rows);
	free(made);
	free(sums);
	splits_end(&s);
}
