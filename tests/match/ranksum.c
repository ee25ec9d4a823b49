/* The rank-sum test against counting all pairs, and against a textbook's value. */
#include "match/stats/diff.h"
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

/* Under one distribution p is below 0.05 about one time in twenty. */
static bool test_level(struct random *r)
{
	int64_t a[MANY], b[MANY];
	int low = 0;

	for (int round = 0; round < 4000; round++) {
		for (int i = 0; i < MANY; i++) {
			a[i] = random_below(r, 1000);
			b[i] = random_below(r, 1000);
		}
		qsort(a, MANY, sizeof *a, compare);
		qsort(b, MANY, sizeof *b, compare);
		low += rank_sum_test(a, MANY, b, MANY).p < 0.05;
	}
	return low > 120 && low < 280;
}

int main(void)
{
	const int64_t low[] = {1, 2, 3, 4, 5}, high[] = {6, 7, 8, 9, 10}, same[] = {7, 7, 7};
	const char *seed = getenv("SEED");
	struct random r = {seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL)};

	printf("# SEED=%llu\n", (unsigned long long)r.state);
	ok(test_pairs(&r), "ranks count the pairs");
	ok(test_level(&r), "equal distributions differ one time in twenty");
	ok(fabs(rank_sum_test(low, 5, high, 5).p - 0.01219) < 1e-5, "five against five, apart");
	ok(rank_sum_test(low, 5, high, 5).greater == 1, "all of the second are greater");
	ok(rank_sum_test(same, 3, same, 3).p == 1, "nothing but ties");
	ok(rank_sum_test(low, 0, high, 5).p == 1, "one is empty");
	return tap_end();
}
