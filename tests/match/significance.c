/*
 * The tests of significance: the rank-sum test against counting all pairs and a textbook's value,
 * the others by how often they see a difference where there is none, and where there is one.
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

static size_t random_values(struct random *r, int64_t *values)
{
	size_t n = 1 + random_below(r, MANY - 1);

	for (size_t i = 0; i < n; i++)
		values[i] = random_below(r, 20);
	qsort(values, n, sizeof *values, compare);
	return n;
}

/* How often b is greater, ties counting half, among all pairs. */
static double pairs(const int64_t *a, size_t na, const int64_t *b, size_t nb)
{
	double greater = 0;

	for (size_t i = 0; i < na; i++)
		for (size_t j = 0; j < nb; j++)
			greater += b[j] > a[i] ? 1 : b[j] == a[i] ? 0.5 : 0;
	return greater / ((double)na * (double)nb);
}

static bool test_pairs(struct random *r)
{
	int64_t a[MANY], b[MANY];

	for (int round = 0; round < 500; round++) {
		size_t na = random_values(r, a), nb = random_values(r, b);
		struct rank_sum one = rank_sum_test(a, na, b, nb);
		struct rank_sum other = rank_sum_test(b, nb, a, na);

		if (fabs(one.greater - pairs(a, na, b, nb)) > 1e-9 ||
		    fabs(one.p - other.p) > 1e-9 || fabs(one.greater + other.greater - 1) > 1e-9 ||
		    one.p < 0 || one.p > 1)
			return false;
	}
	return true;
}

/* ---- how often each sees a difference ---- */

enum { ROUNDS = 4000 };

struct set {
	int64_t values[MANY];
	struct sample sample;
};

/* Values of a skewed distribution, times the scale. */
static void set_draw(struct set *s, struct random *r, double scale)
{
	s->sample = (struct sample){0};
	for (int i = 0; i < MANY; i++) {
		double x = (double)(1 + random_below(r, 999)) / 1000;

		s->values[i] = (int64_t)(1000 * scale * -log(x));
		sample_add(&s->sample, (double)s->values[i]);
	}
	qsort(s->values, MANY, sizeof *s->values, compare);
}

/* How many independent events there were of many that may have been. */
static double count_draw(struct random *r, unsigned chance)
{
	double n = 0;

	for (int i = 0; i < 1000; i++)
		n += random_below(r, 1000) < chance;
	return n;
}

enum { BY_RANKS, BY_MEAN, BY_MEDIAN, BY_P90, BY_COUNT, BY_TOTAL, NSEEN };

/* Counts the rounds in which each finds p below 0.05. */
static void seen_count(struct random *r, double scale, int seen[NSEEN])
{
	struct set a, b;

	for (int round = 0; round < ROUNDS; round++) {
		set_draw(&a, r, 1);
		set_draw(&b, r, scale);
		seen[BY_RANKS] += rank_sum_test(a.values, MANY, b.values, MANY).p < 0.05;
		seen[BY_MEAN] += mean_test(&a.sample, &b.sample) < 0.05;
		seen[BY_MEDIAN] += quantile_test(a.values, MANY, b.values, MANY, 0.5) < 0.05;
		seen[BY_P90] += quantile_test(a.values, MANY, b.values, MANY, 0.9) < 0.05;
		seen[BY_COUNT] += count_test(count_draw(r, 20), count_draw(r, (unsigned)(20 * scale))) < 0.05;
		seen[BY_TOTAL] += total_test(&a.sample, &b.sample) < 0.05;
	}
}

/* Under one distribution p is below 0.05 about one time in twenty; corrected for steps: more seldom. */
static void test_level(struct random *r)
{
	int seen[NSEEN] = {0};

	seen_count(r, 1, seen);
	printf("# of %d: ranks %d, mean %d, median %d, p90 %d, count %d, total %d\n", ROUNDS,
	       seen[BY_RANKS], seen[BY_MEAN], seen[BY_MEDIAN], seen[BY_P90], seen[BY_COUNT],
	       seen[BY_TOTAL]);
	ok(seen[BY_RANKS] > 120 && seen[BY_RANKS] < 280, "equal distributions: ranks");
	ok(seen[BY_MEAN] > 120 && seen[BY_MEAN] < 280, "means");
	ok(seen[BY_MEDIAN] > 40 && seen[BY_MEDIAN] < 280, "medians");
	ok(seen[BY_P90] > 20 && seen[BY_P90] < 280, "p90");
	ok(seen[BY_COUNT] > 40 && seen[BY_COUNT] < 280, "counts");
	ok(seen[BY_TOTAL] > 40 && seen[BY_TOTAL] < 280, "totals");
}

static void test_power(struct random *r)
{
	int seen[NSEEN] = {0};
	bool all = true;

	seen_count(r, 2.5, seen);
	for (int i = 0; i < NSEEN; i++)
		all &= seen[i] > ROUNDS / 2;
	printf("# of %d: ranks %d, mean %d, median %d, p90 %d, count %d, total %d\n", ROUNDS,
	       seen[BY_RANKS], seen[BY_MEAN], seen[BY_MEDIAN], seen[BY_P90], seen[BY_COUNT],
	       seen[BY_TOTAL]);
	ok(all, "what is two and a half times as much is seen by each");
}

/* Few values: Student's table has 0.05 for t = 2.776 at 4 degrees of freedom. */
static void test_few(void)
{
	struct sample a = {0}, b = {0}, one = {0};
	double p;

	for (int i = 0; i < 3; i++) {
		sample_add(&a, i);
		sample_add(&b, i + 2.776 * sqrt(2.0 / 3));
	}
	p = mean_test(&a, &b);
	printf("# p = %g\n", p);
	ok(fabs(p - 0.05) < 0.005, "three against three, by Student's table");
	sample_add(&one, 7);
	ok(isnan(mean_test(&a, &one)), "of one value it cannot be told");
	ok(mean_test(&a, &a) == 1, "the same");
}

int main(void)
{
	const int64_t low[] = {1, 2, 3, 4, 5}, high[] = {6, 7, 8, 9, 10}, same[] = {7, 7, 7};
	const char *seed = getenv("SEED");
	struct random r = {seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL)};

	printf("# SEED=%llu\n", (unsigned long long)r.state);
	ok(test_pairs(&r), "ranks count the pairs");
	test_level(&r);
	test_power(&r);
	test_few();
	ok(fabs(rank_sum_test(low, 5, high, 5).p - 0.01219) < 1e-5, "five against five, apart");
	ok(rank_sum_test(low, 5, high, 5).greater == 1, "all of the second are greater");
	ok(rank_sum_test(same, 3, same, 3).p == 1, "nothing but ties");
	ok(rank_sum_test(low, 0, high, 5).p == 1, "one is empty");
	return tap_end();
}
