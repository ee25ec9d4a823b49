/*
 * Two runs at a time. The next number of the result depends on the one before: which of two places
 * was left is known only when the processor has compared what is there. It waits for that most of
 * the time, so the result is made in four stretches at once. Where a stretch begins in both runs a
 * search finds.
 */
#include "trace/stream/merge_runs.h"
#include <stdbool.h>
#include <string.h>

enum { FEW = 32 };

/* How many of the first k numbers of the result are from a. */
static size_t split(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, size_t k)
{
	size_t low = k > nb ? k - nb : 0, high = k < na ? k : na;

	while (low < high) {
		size_t i = low + (high - low) / 2;

		if (a[i] < b[k - i - 1])
			low = i + 1;
		else
			high = i;
	}
	return low;
}

/* The k-th number of the result, of which so many before it are from a; how many are then. */
static inline size_t step(const uint64_t *a, const uint64_t *b, size_t k, size_t from_a,
			  uint64_t *to)
{
	uint64_t x = a[from_a], y = b[k - from_a];

	to[k] = x < y ? x : y;
	return from_a + (x < y);
}

/* Behind both runs stands UINT64_MAX, so that their ends need no test. */
static void merge_two(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint64_t *to)
{
	size_t n = na + nb, q = n < FEW ? 0 : n / 4;
	size_t k1 = split(a, na, b, nb, q), k2 = split(a, na, b, nb, 2 * q);
	size_t k0 = 0, k3 = split(a, na, b, nb, 3 * q), i = 0;

	for (; i < q; i++) {
		k0 = step(a, b, i, k0, to);
		k1 = step(a, b, i + q, k1, to);
		k2 = step(a, b, i + 2 * q, k2, to);
		k3 = step(a, b, i + 3 * q, k3, to);
	}
	for (i += 3 * q; i < n; i++)
		k3 = step(a, b, i, k3, to);
}

/* As often threads that log in turn, not side by side. */
static bool join(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint64_t *to)
{
	if (a[na - 1] > b[0])
		return false;
	memcpy(to, a, na * sizeof *to);
	memcpy(to + na, b, nb * sizeof *to);
	return true;
}

static size_t size_of(const struct run *runs, size_t nruns)
{
	size_t n = 0;

	for (size_t i = 0; i < nruns; i++)
		n += runs[i].n;
	return n;
}

/* So many runs have half of the numbers; at least one is on each side. */
static size_t half_of(const struct run *runs, size_t nruns, size_t n)
{
	size_t i = 0, sum = 0;

	while (i + 1 < nruns && (i == 0 || sum + runs[i].n / 2 < n / 2))
		sum += runs[i++].n;
	return i;
}

/* The runs' numbers are in the one array, and come to the other (across) or stay. */
static void merge_all(const struct run *runs, size_t nruns, uint64_t *words, uint64_t *spare,
		      bool across, uint64_t *to);

static void merge_halves(const struct run *runs, size_t nruns, uint64_t *words, uint64_t *spare,
			 bool across, uint64_t *to)
{
	size_t n = size_of(runs, nruns), half = half_of(runs, nruns, n);
	size_t left = size_of(runs, half), right = n - left;
	uint64_t *from = across ? words : spare;
	const uint64_t *a = from + runs[0].at, *b = from + runs[half].at;

	merge_all(runs, half, words, spare, !across, NULL);
	merge_all(runs + half, nruns - half, words, spare, !across, NULL);
	if (!join(a, left, b, right, to))
		merge_two(a, left, b, right, to);
}

static void merge_all(const struct run *runs, size_t nruns, uint64_t *words, uint64_t *spare,
		      bool across, uint64_t *to)
{
	uint64_t *last = (across ? spare : words) + runs[0].at;
	size_t n = size_of(runs, nruns);

	to = to ? to : last;
	if (nruns > 1)
		merge_halves(runs, nruns, words, spare, across, to);
	else if (to != words + runs[0].at)
		memcpy(to, words + runs[0].at, n * sizeof *to);
	if (to == last)
		to[n] = UINT64_MAX;
}

uint64_t *runs_merge(const struct run *runs, size_t nruns, uint64_t *words, uint64_t *spare,
		     uint64_t *to)
{
	bool across = false;

	/* so that most runs need not be copied */
	for (size_t n = nruns; n > 1; n /= 2)
		across = !across;
	merge_all(runs, nruns, words, spare, across, to);
	return to ? to : (across ? spare : words) + runs[0].at;
}
