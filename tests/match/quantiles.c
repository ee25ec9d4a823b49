/* Sorting, selection and exact quantiles against the library's sort; SEED=N in the environment repeats a run. */
/*
 * tested: oracles with random cases, CASES lists: sorting and quantiles, and the C library's
 * sort.
 */
#include "base/quantile.h"
#include "base/sort.h"
#include "match/stats/series.h"
#include "tests/random.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CASES = 3000, MOST = 2000 };

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Rising, falling, of few values, of many. */
static int64_t word_of(struct random *r, unsigned shape, size_t i, size_t n)
{
	switch (shape) {
	case 0:
		return (int64_t)i;
	case 1:
		return (int64_t)(n - i);
	case 2:
		return (int64_t)random_below(r, 5) - 2;
	default:
		return (int64_t)random_next(r);
	}
}

static bool try_case(struct random *r)
{
	static const double q[] = {0, 0.01, 0.5, 0.9, 0.99, 0.999, 1};
	enum { N = sizeof q / sizeof *q };
	int64_t words[MOST], sorted[MOST], right[MOST];
	struct series s = {.words = words, .n = 1 + random_below(r, MOST)};
	unsigned shape = random_below(r, 4);
	struct value values[N];
	bool good;

	for (size_t i = 0; i < s.n; i++)
		words[i] = sorted[i] = right[i] = word_of(r, shape, i, s.n);
	sort_words(sorted, s.n);
	qsort(right, s.n, sizeof *right, compare);
	good = memcmp(sorted, right, s.n * sizeof *right) == 0;
	quantile_many = random_below(r, 2) ? 1 : SIZE_MAX;
	series_quantiles(&s, q, N, values);
	for (int i = 0; i < N; i++)
		good &= values[i].integer == right[quantile_place(s.n, q[i])];
	return good;
}

int main(void)
{
	const char *text = getenv("SEED");
	struct random r = {text ? strtoull(text, NULL, 0) : (uint64_t)time(NULL)};
	unsigned failed = 0;

	printf("1..2\n# SEED=%llu\n", (unsigned long long)r.state);
	for (int i = 0; i < CASES; i++)
		failed += !try_case(&r);
	printf("%sok 1 - sorted and selected as the library sorts (%u of %d not)\n", failed ? "not " : "",
	       failed, CASES);
	printf("%sok 2 - nearest rank: 90 of 10, 7 and 7.1 of 100, all of 3\n",
	       quantile_place(10, 0.9) == 8 && quantile_place(100, 0.07) == 6 &&
			       quantile_place(100, 0.071) == 7 && quantile_place(3, 1) == 2 ?
		       "" :
		       "not ");
	return 0;
}
