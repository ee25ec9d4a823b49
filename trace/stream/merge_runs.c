/*
 * Two runs are merged at a time. Each number of the result depends on the one before: which of two
 * places comes next is known only after a comparison, for which the processor mostly waits. So four
 * quarters of the result are made at once; binary search finds where each begins in both runs.
 */
#include "trace/stream/merge_runs.h"
#include "base/search.h"
#include <stdbool.h>
#include <string.h>

enum { FEW = 32 };

/* Returns how many of the first k numbers of the result are from a. */
static size_t runs_split(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, size_t k)
{
	return lower_bound(i, k > nb ? k - nb : 0, k < na ? k : na, a[i] < b[k - i - 1]);
}

/* Writes number k of the result, after from_a numbers from a; returns the new from_a. */
static inline size_t step_merge(const uint64_t *a, const uint64_t *b, size_t k, size_t from_a,
				uint64_t *to)
{
	uint64_t x = a[from_a], y = b[k - from_a];

	to[k] = x < y ? x : y;
	return from_a + (x < y);
}

/* UINT64_MAX after both runs makes tests for their ends unnecessary. */
static void merge_two(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint64_t *to)
{
	size_t n = na + nb, q = n < FEW ? 0 : n / 4;
	size_t k1 = runs_split(a, na, b, nb, q), k2 = runs_split(a, na, b, nb, 2 * q);
	size_t k0 = 0, k3 = runs_split(a, na, b, nb, 3 * q), i = 0;

	for (; i < q; i++) {
		k0 = step_merge(a, b, i, k0, to);
		k1 = step_merge(a, b, i + q, k1, to);
		k2 = step_merge(a, b, i + 2 * q, k2, to);
		k3 = step_merge(a, b, i + 3 * q, k3, to);
	}
	for (i += 3 * q; i < n; i++)
		k3 = step_merge(a, b, i, k3, to);
}

/* Concatenates two runs if all of a is before b, as with threads that log in turn. */
static bool runs_join(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint64_t *to)
{
	if (a[na - 1] > b[0])
		return false;
	memcpy(to, a, na * sizeof *to);
	memcpy(to + na, b, nb * sizeof *to);
	return true;
}

static size_t runs_size(const struct sorted_run *runs, size_t nruns)
{
	size_t n = 0;

	for (size_t i = 0; i < nruns; i++)
		n += runs[i].n;
	return n;
}

/* Returns how many runs have half of the numbers; at least one is on each side. */
static size_t runs_half(const struct sorted_run *runs, size_t nruns, size_t n)
{
	size_t i = 0, sum = 0;

	while (i + 1 < nruns && (i == 0 || sum + runs[i].n / 2 < n / 2))
		sum += runs[i++].n;
	return i;
}

/* across: the result goes from words to spare, or to `to`; otherwise it stays in words. */
static void merge_all(const struct sorted_run *runs, size_t nruns, uint64_t *words, uint64_t *spare,
		      bool across, uint64_t *to);

static void merge_halves(const struct sorted_run *runs, size_t nruns, uint64_t *words,
			 uint64_t *spare, bool across, uint64_t *to)
{
	size_t n = runs_size(runs, nruns), half = runs_half(runs, nruns, n);
	size_t left = runs_size(runs, half), right = n - left;
	uint64_t *from = across ? words : spare;
	const uint64_t *a = from + runs[0].at, *b = from + runs[half].at;

	merge_all(runs, half, words, spare, !across, NULL);
	merge_all(runs + half, nruns - half, words, spare, !across, NULL);
	if (!runs_join(a, left, b, right, to))
		merge_two(a, left, b, right, to);
}

static void merge_all(const struct sorted_run *runs, size_t nruns, uint64_t *words, uint64_t *spare,
		      bool across, uint64_t *to)
{
	uint64_t *last = (across ? spare : words) + runs[0].at;
	size_t n = runs_size(runs, nruns);

	to = to ? to : last;
	if (nruns > 1)
		merge_halves(runs, nruns, words, spare, across, to);
	else if (to != words + runs[0].at)
		memcpy(to, words + runs[0].at, n * sizeof *to);
	if (to == last)
		to[n] = UINT64_MAX;
}

uint64_t *runs_merge(const struct sorted_run *runs, size_t nruns, uint64_t *words, uint64_t *spare,
		     uint64_t *to)
{
	bool across = false;

	/* so that most runs need not be copied */
	for (size_t n = nruns; n > 1; n /= 2)
		across = !across;
	merge_all(runs, nruns, words, spare, across, to);
	return to ? to : (across ? spare : words) + runs[0].at;
}
