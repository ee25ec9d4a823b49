/*
 * The test of runs against a plain one: t of each measure in each split, by its formula. Then how
 * often it sees a difference where there is none, and where there is one.
 * tested: oracles with random cases, ROUNDS pairs of runs: how often the test of runs finds a
 * difference, where there is one and where there is none.
 */
#include "match/stats/run_test.h"
#include "tests/random.h"
#include "tests/tap.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 16, MEASURES = 6 };

struct table {
	double values[MEASURES][RUNS];
	const double *rows[MEASURES];
	size_t n;
	unsigned before, after;
};

/* ---- the plain test ---- */

/* |t| with a pooled variance, of a split: bits of the runs in the first group. */
static double plain_t(const double *x, unsigned runs, unsigned long split)
{
	double sum[2] = {0}, n[2] = {0}, squares = 0, apart;

	for (unsigned i = 0; i < runs; i++) {
		sum[split >> i & 1] += x[i];
		n[split >> i & 1]++;
	}
	for (unsigned i = 0; i < runs; i++) {
		double mean = sum[split >> i & 1] / n[split >> i & 1];

		squares += (x[i] - mean) * (x[i] - mean);
	}
	apart = fabs(sum[0] / n[0] - sum[1] / n[1]);
	if (apart < 1e-9)
		return 0;
	if (squares < 1e-9)
		return INFINITY;
	return apart / sqrt(squares / fmax(runs - 2, 1) * (1 / n[0] + 1 / n[1]));
}

/*
 * A function of |t| that grows with it and stays below 1. Near 1 two splits differ by less than rounding, however much
 * their t differ: they are as clear as each other.
 */
static double clarity(double t, unsigned runs)
{
	return isinf(t) ? 1 : t / sqrt(t * t + fmax(runs - 2, 1));
}

static void plain_test(const struct table *t, double *p)
{
	unsigned runs = t->before + t->after;
	unsigned long made = (1UL << t->before) - 1, splits = 0;

	for (size_t k = 0; k < t->n; k++)
		p[k] = 0;
	for (unsigned long split = 0; split < 1UL << runs; split++) {
		double most = 0;

		if ((unsigned)__builtin_popcountl(split) != t->before)
			continue;
		splits++;
		for (size_t k = 0; k < t->n; k++)
			most = fmax(most, clarity(plain_t(t->rows[k], runs, split), runs));
		for (size_t k = 0; k < t->n; k++)
			p[k] += most >= clarity(plain_t(t->rows[k], runs, made), runs) - 1e-9;
	}
	for (size_t k = 0; k < t->n; k++)
		p[k] /= (double)splits;
}

/* ---- tables ---- */

static double normal_draw(struct random *r)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (random_below(r, 1000000) + 0.5) / 1e6;
	return sum;
}

static void table_draw(struct table *t, struct random *r, size_t n, unsigned before, unsigned after)
{
	*t = (struct table){.n = n, .before = before, .after = after};
	for (size_t k = 0; k < n; k++) {
		bool whole = random_chance(r, 40);

		t->rows[k] = t->values[k];
		for (unsigned i = 0; i < before + after; i++)
			t->values[k][i] = whole ? random_below(r, 3) : 1000 + 50 * normal_draw(r);
	}
}

static bool agrees(const struct table *t, double tolerance)
{
	double p[MEASURES], plain[MEASURES];

	run_test(t->rows, t->n, t->before, t->after, p);
	plain_test(t, plain);
	for (size_t k = 0; k < t->n; k++)
		if (fabs(p[k] - plain[k]) > tolerance) {
			printf("# %u and %u runs, measure %zu of %zu: %g, not %g\n", t->before,
			       t->after, k, t->n, p[k], plain[k]);
			return false;
		}
	return true;
}

static bool test_plain(struct random *r)
{
	struct table t;
	bool good = true;

	for (int round = 0; round < 2000 && good; round++) {
		table_draw(&t, r, 1 + random_below(r, MEASURES), 1 + random_below(r, 5),
			   1 + random_below(r, 5));
		good = agrees(&t, 1e-9);
	}
	return good;
}

/* 8 and 8 have 12,870 splits, of which some are drawn: a share of 5,000 is off by 0.03 hardly ever. */
static bool test_drawn(struct random *r)
{
	struct table t;
	bool good = true;

	for (int round = 0; round < 10 && good; round++) {
		table_draw(&t, r, 3, 8, 8);
		good = agrees(&t, 0.03);
	}
	return good;
}

/* ---- how often it sees a difference ---- */

enum { ROUNDS = 2000 };

struct seen {
	int any, first, others; /* rounds with p below 0.05: of any measure, the first, any other */
};

/* The measures share what a run has in common; the first one grows by so many deviations. */
static struct seen seen_count(struct random *r, double grows)
{
	struct seen seen = {0};

	for (int round = 0; round < ROUNDS; round++) {
		struct table t;
		double p[MEASURES];
		bool first, others = false;

		table_draw(&t, r, MEASURES, 5, 5);
		for (unsigned i = 0; i < 10; i++) {
			double common = normal_draw(r);

			for (size_t k = 0; k < MEASURES; k++)
				t.values[k][i] = 1000 + 50 * (common + normal_draw(r));
			t.values[0][i] += i >= 5 ? grows * 50 * sqrt(2) : 0;
		}
		run_test(t.rows, t.n, 5, 5, p);
		first = p[0] < 0.05;
		for (size_t k = 1; k < MEASURES; k++)
			others |= p[k] < 0.05;
		seen.first += first;
		seen.others += others;
		seen.any += first || others;
	}
	return seen;
}

static void test_rates(struct random *r)
{
	struct seen none = seen_count(r, 0), some = seen_count(r, 6);

	printf("# of %d: no difference %d; one %d, others %d\n", ROUNDS, none.any, some.first,
	       some.others);
	/* p is below 0.05 at most 1 time in 20; of 2,000 that is 100, with a deviation of 10 */
	ok(none.any <= 140 && none.any >= 30,
	   "equal groups: six measures together are seen 1 time in 20");
	ok(some.others <= 140, "one that grew: no other is seen more often");
	ok(some.first >= ROUNDS * 9 / 10, "and it is seen");
}

int main(void)
{
	const char *seed = getenv("SEED");
	struct random r = {seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL)};
	const double apart[] = {1, 2, 3, 4, 11, 12, 13, 14}, flat[] = {7, 7, 7, 7, 7, 7, 7, 7};
	const double *const rows[] = {apart, flat};
	double p[2];

	printf("# SEED=%llu\n", (unsigned long long)r.state);
	ok(test_plain(&r), "p is that of a plain test of all splits");
	ok(test_drawn(&r), "of many splits a sample does");
	test_rates(&r);
	run_test(rows, 2, 4, 4, p);
	ok(fabs(p[0] - 2.0 / 70) < 1e-12 && p[1] == 1,
	   "four and four, apart: 2 of 70 splits; equal ones: 1");
	ok(fabs(run_test_reach(3, 3) - 0.1) < 1e-12 &&
	       fabs(run_test_reach(4, 4) - 2.0 / 70) < 1e-12 &&
	       fabs(run_test_reach(5, 5) - 2.0 / 252) < 1e-12 && run_test_reach(1, 1) == 1 &&
	       fabs(run_test_reach(1, 20) - 1.0 / 21) < 1e-12 &&
	       fabs(run_test_reach(3, 4) - 1.0 / 35) < 1e-12,
	   "the least p of some groups");
	return tap_end();
}
