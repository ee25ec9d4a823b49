/*
 * The test of quantiles, by how often it sees a difference where there is none, and where there is
 * one; the interval of a change of means, by how often it has the change.
 */
#include "match/stats/significance.h"
#include "tests/random.h"
#include "tests/tap.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { MANY = 60 };

static int compare(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

/* ---- quantiles ---- */

enum { ROUNDS = 4000 };

/* Values of a skewed distribution, times the scale. */
static void values_draw(int64_t *values, struct random *r, double scale)
{
	for (int i = 0; i < MANY; i++) {
		double x = (double)(1 + random_below(r, 999)) / 1000;

		values[i] = (int64_t)(1000 * scale * -log(x));
	}
	qsort(values, MANY, sizeof *values, compare);
}

enum { BY_MEDIAN, BY_P90, NSEEN };

/* Counts the rounds in which each finds p below 0.05. */
static void seen_count(struct random *r, double scale, int seen[NSEEN])
{
	int64_t a[MANY], b[MANY];

	for (int round = 0; round < ROUNDS; round++) {
		values_draw(a, r, 1);
		values_draw(b, r, scale);
		seen[BY_MEDIAN] += quantile_test(a, MANY, b, MANY, 0.5) < 0.05;
		seen[BY_P90] += quantile_test(a, MANY, b, MANY, 0.9) < 0.05;
	}
	printf("# of %d: median %d, p90 %d\n", ROUNDS, seen[BY_MEDIAN], seen[BY_P90]);
}

/* Under one distribution p is below 0.05 about one time in twenty; corrected for steps: more seldom. */
static void test_level(struct random *r)
{
	int seen[NSEEN] = {0};

	seen_count(r, 1, seen);
	ok(seen[BY_MEDIAN] > 40 && seen[BY_MEDIAN] < 280, "medians");
	ok(seen[BY_P90] > 20 && seen[BY_P90] < 280, "p90");
}

static void test_power(struct random *r)
{
	int seen[NSEEN] = {0};

	seen_count(r, 2.5, seen);
	ok(seen[BY_MEDIAN] > ROUNDS / 2 && seen[BY_P90] > ROUNDS / 2,
	   "what is two and a half times as much is seen by each");
}

/* ---- means ---- */

static double normal_draw(struct random *r)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (random_below(r, 1000000) + 0.5) / 1e6;
	return sum;
}

/* The interval has the change 95 times of 100; of 4,000 the deviation is 14. */
static void test_change(struct random *r)
{
	int has = 0;

	for (int round = 0; round < ROUNDS; round++) {
		double a[5], b[4], low, high;

		for (int i = 0; i < 5; i++)
			a[i] = 100 + normal_draw(r);
		for (int i = 0; i < 4; i++)
			b[i] = 103 + 2 * normal_draw(r);
		mean_change(a, 5, b, 4, &low, &high);
		has += low <= 3 && 3 <= high;
	}
	printf("# of %d intervals %d have the change\n", ROUNDS, has);
	ok(has > 3700 && has < 3900, "the 95 % interval of a change");
}

/* Student's table has t = 2.776 for 4 degrees of freedom. */
static void test_table(void)
{
	const double a[] = {0, 1, 2}, b[] = {10, 11, 12}, same[] = {5, 5};
	double low, high;

	ok(mean_change(a, 3, b, 3, &low, &high) && fabs(low - (10 - 2.776 * sqrt(2.0 / 3))) < 0.02 &&
		   fabs(high - (10 + 2.776 * sqrt(2.0 / 3))) < 0.02,
	   "three and three, by Student's table");
	ok(mean_change(same, 2, same, 2, &low, &high) && low == 0 && high == 0, "values that do not vary");
	ok(!mean_change(a, 1, b, 3, &low, &high), "of one value it is not known");
}

int main(void)
{
	const char *seed = getenv("SEED");
	struct random r = {seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL)};

	printf("# SEED=%llu\n", (unsigned long long)r.state);
	test_level(&r);
	test_power(&r);
	test_change(&r);
	test_table();
	return tap_end();
}
