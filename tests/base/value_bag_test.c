/* Quantiles of values in bags are those of the sorted values; SEED=N repeats a run. */
/*
 * tested: oracles with random cases, CASES bags: quantiles of values in bags, and the sorted
 * values.
 */
#include "base/quantile.h"
#include "base/value_bag.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CASES = 400, BAGS = 4, MOST = 600 };

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Small ones, those around the limit, and large ones. */
static int64_t random_value(int kind)
{
	if (kind == 0)
		return rand() % 50;
	if (kind == 1)
		return BAG_COUNTED - 20 + rand() % 40;
	return (int64_t)rand() << (rand() % 30);
}

static bool same_values(const struct value_bag *bags, const int64_t *sorted, size_t n)
{
	int64_t *listed = array_new(n, sizeof *listed), *to = listed;
	bool same;

	for (int i = 0; i < BAGS; i++) {
		value_bag_list(&bags[i], to);
		to += bags[i].n;
	}
	qsort(listed, n, sizeof *listed, compare);
	same = to == listed + n && memcmp(listed, sorted, n * sizeof *sorted) == 0;
	free(listed);
	return same;
}

static bool case_holds(void)
{
	static const double quantiles[] = {0, 0.01, 0.5, 0.9, 0.99, 1};
	struct value_bag bags[BAGS] = {{0}};
	const struct value_bag *all[BAGS];
	int64_t sorted[MOST];
	size_t n = 1 + (size_t)rand() % MOST;
	int kinds = 1 + rand() % 3;
	bool good = true;

	value_bag_many = 1 + (size_t)rand() % 100;
	for (size_t i = 0; i < n; i++) {
		sorted[i] = random_value(rand() % kinds);
		value_bag_add(&bags[rand() % BAGS], sorted[i]);
	}
	qsort(sorted, n, sizeof *sorted, compare);
	for (int i = 0; i < BAGS; i++)
		all[i] = &bags[i];
	for (size_t q = 0; q < sizeof quantiles / sizeof *quantiles; q++)
		good &= value_bags_quantile(all, BAGS, quantiles[q]) ==
			sorted[quantile_place(n, quantiles[q])];
	good &= same_values(bags, sorted, n);
	for (int i = 0; i < BAGS; i++)
		value_bag_free(&bags[i]);
	return good;
}

int main(void)
{
	unsigned seed = getenv("SEED") ? (unsigned)atoi(getenv("SEED")) : (unsigned)time(NULL);
	int bad = 0;

	srand(seed);
	for (int i = 0; i < CASES; i++)
		bad += !case_holds();
	printf("1..1\n# SEED=%u\n%sok 1 - quantiles of bags are those of sorted values (%d of %d cases not)\n",
	       seed, bad ? "not " : "", bad, CASES);
	return 0;
}
