/*
 * Selection among very many words: a histogram of all, counted on all processors, says between
 * which values the one wanted is; only those are looked at.
 */
#include "trace/array.h"
#include "trace/large.h"
#include "trace/parallel.h"
#include "trace/series.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { BIN_BITS = 12, BINS = 1 << BIN_BITS, FEW_OF = 8 };

size_t narrow_from = 1 << 18;

struct narrowing {
	const int64_t *words;
	size_t n;
	int64_t low, high; /* of the words, or of those that are counted */
	unsigned shift;	   /* bin i begins at low + (i << shift) */
	size_t count[BINS];
	int64_t *few; /* those that were picked out */
	atomic_size_t nfew;
	pthread_mutex_t mutex;
};

static void find_bounds(void *context, size_t from, size_t to)
{
	struct narrowing *w = context;
	int64_t low = INT64_MAX, high = INT64_MIN;

	for (size_t i = from; i < to; i++) {
		low = w->words[i] < low ? w->words[i] : low;
		high = w->words[i] > high ? w->words[i] : high;
	}
	pthread_mutex_lock(&w->mutex);
	w->low = low < w->low ? low : w->low;
	w->high = high > w->high ? high : w->high;
	pthread_mutex_unlock(&w->mutex);
}

static void count_bins(void *context, size_t from, size_t to)
{
	struct narrowing *w = context;
	uint64_t span = (uint64_t)w->high - (uint64_t)w->low;
	uint32_t count[BINS] = {0};

	for (size_t i = from; i < to; i++) {
		uint64_t distance = (uint64_t)w->words[i] - (uint64_t)w->low;

		if (distance <= span)
			count[distance >> w->shift]++;
	}
	pthread_mutex_lock(&w->mutex);
	for (size_t b = 0; b < BINS; b++)
		w->count[b] += count[b];
	pthread_mutex_unlock(&w->mutex);
}

static void pick_few(void *context, size_t from, size_t to)
{
	struct narrowing *w = context;
	size_t n = 0, at;

	for (size_t i = from; i < to; i++)
		n += w->words[i] >= w->low && w->words[i] <= w->high;
	at = atomic_fetch_add(&w->nfew, n);
	for (size_t i = from; n > 0; i++)
		if (w->words[i] >= w->low && w->words[i] <= w->high) {
			w->few[at++] = w->words[i];
			n--;
		}
}

static void narrow_count(struct narrowing *w)
{
	uint64_t span = (uint64_t)w->high - (uint64_t)w->low;

	w->shift = 0;
	while (span >> w->shift >= BINS)
		w->shift++;
	for (size_t b = 0; b < BINS; b++)
		w->count[b] = 0;
	parallel_stretches(w->n, count_bins, w);
}

/* To the bin in which the k-th of those counted is; which of that bin it is. */
static size_t narrow_to(struct narrowing *w, size_t k, size_t *count)
{
	uint64_t bin = 0, last;

	for (; k >= w->count[bin]; bin++)
		k -= w->count[bin];
	*count = w->count[bin];
	last = (uint64_t)w->low + ((bin + 1) << w->shift) - 1;
	w->low = (int64_t)((uint64_t)w->low + (bin << w->shift));
	if (last - (uint64_t)w->low < (uint64_t)w->high - (uint64_t)w->low)
		w->high = (int64_t)last;
	return k;
}

/* The k-th word; w counts all of them, and is left as it was. */
static int64_t narrow_find(const struct narrowing *all, size_t k)
{
	struct narrowing *w = array_new(1, sizeof *w);
	size_t count;
	int64_t word;

	*w = *all;
	k = narrow_to(w, k, &count);
	while (count > w->n / FEW_OF && w->low != w->high) {
		narrow_count(w);
		k = narrow_to(w, k, &count);
	}
	word = w->low;
	if (w->low != w->high) {
		w->few = large_new(count, sizeof *w->few);
		parallel_stretches(w->n, pick_few, w);
		select_word(w->few, count, k);
		word = w->few[k];
		large_free(w->few);
	}
	free(w);
	return word;
}

static void select_many(int64_t *words, size_t n, const size_t *places, size_t count,
			int64_t *found)
{
	struct narrowing *w = array_zero(1, sizeof *w);

	w->words = words;
	w->n = n;
	w->low = INT64_MAX;
	w->high = INT64_MIN;
	pthread_mutex_init(&w->mutex, NULL);
	parallel_stretches(n, find_bounds, w);
	narrow_count(w);
	for (size_t i = 0; i < count; i++) {
		if (places[i] == 0)
			found[i] = w->low;
		else
			found[i] = places[i] == n - 1 ? w->high : narrow_find(w, places[i]);
	}
	pthread_mutex_destroy(&w->mutex);
	free(w);
}

void select_words(int64_t *words, size_t n, const size_t *places, size_t count, int64_t *found)
{
	size_t from = 0;

	if (n >= narrow_from) {
		select_many(words, n, places, count, found);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		select_word(words + from, n - from, places[i] - from);
		from = places[i];
		found[i] = words[from];
	}
}
