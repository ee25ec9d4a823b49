#include "base/quantile.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/spill.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

size_t quantile_many = 1 << 18;

size_t quantile_place(size_t n, double q)
{
	unsigned __int128 millionths = (unsigned __int128)llround(q * 1e6);
	unsigned __int128 at = (millionths * n + 999999) / 1000000;

	return at == 0 ? 0 : at > n ? n - 1 : (size_t)at - 1;
}

/* ---- bins ---- */

void quantile_bins_set(struct quantile_bins *b, int64_t low, uint64_t span)
{
	*b = (struct quantile_bins){.low = low, .span = span};
	while (span >> b->shift >= QUANTILE_BINS)
		b->shift++;
}

void quantile_bins_add(struct quantile_bins *to, const struct quantile_bins *from)
{
	for (size_t i = 0; i < QUANTILE_BINS; i++)
		to->count[i] += from->count[i];
}

size_t quantile_bin_at(const struct quantile_bins *b, size_t *place)
{
	size_t bin = 0;

	for (; *place >= b->count[bin]; bin++)
		*place -= b->count[bin];
	return bin;
}

void quantile_bins_narrow(struct quantile_bins *b, size_t bin)
{
	uint64_t before = (uint64_t)bin << b->shift, last = (UINT64_C(1) << b->shift) - 1;

	quantile_bins_set(b, (int64_t)((uint64_t)b->low + before),
			  last < b->span - before ? last : b->span - before);
}

/* ---- words in memory ---- */

/* All words, and the bins that some of them are in. */
struct histogram {
	const int64_t *words;
	size_t n;
	int64_t low, high;
	struct quantile_bins bins;
	pthread_mutex_t mutex;
};

static void find_ends(void *context, size_t from, size_t to)
{
	struct histogram *h = context;
	int64_t low = INT64_MAX, high = INT64_MIN;

	for (size_t i = from; i < to; i++) {
		low = h->words[i] < low ? h->words[i] : low;
		high = h->words[i] > high ? h->words[i] : high;
	}
	pthread_mutex_lock(&h->mutex);
	h->low = low < h->low ? low : h->low;
	h->high = high > h->high ? high : h->high;
	pthread_mutex_unlock(&h->mutex);
}

static void quantile_count_chunk(void *context, size_t from, size_t to)
{
	struct histogram *h = context;
	uint32_t count[QUANTILE_BINS + 1] = {0};

	for (size_t i = from; i < to; i++)
		count[quantile_bin(&h->bins, h->words[i])]++;
	pthread_mutex_lock(&h->mutex);
	for (size_t b = 0; b < QUANTILE_BINS; b++)
		h->bins.count[b] += count[b];
	pthread_mutex_unlock(&h->mutex);
}

enum {
	PICKS = 8,   /* words of up to so many bins are picked out at a time */
	LOCAL = 128, /* so many a thread keeps before it puts them there */
	FEW_OF = 8,  /* bins with more than this part of the words are narrowed instead */
};

/* The words of one bin. */
struct pick {
	int64_t *few;
	size_t count;
	atomic_size_t n; /* so far */
};

struct picking {
	const struct histogram *from;
	uint8_t of_bin[QUANTILE_BINS + 1]; /* which pick, counted from 1; 0: none */
	struct pick picks[PICKS];
	unsigned n;
};

/* What one thread has not put there yet. */
struct handful {
	int64_t words[LOCAL];
	size_t n;
};

static void handful_empty(struct handful *h, struct pick *p)
{
	if (h->n)
		memcpy(p->few + atomic_fetch_add(&p->n, h->n), h->words, h->n * sizeof *p->few);
	h->n = 0;
}

static void pick_chunk(void *context, size_t from, size_t to)
{
	struct picking *p = context;
	const struct histogram *h = p->from;
	struct handful hands[PICKS];

	for (unsigned k = 0; k < p->n; k++)
		hands[k].n = 0;
	for (size_t i = from; i < to; i++) {
		unsigned k = p->of_bin[quantile_bin(&h->bins, h->words[i])];

		if (__builtin_expect(k == 0, 1))
			continue;
		hands[k - 1].words[hands[k - 1].n++] = h->words[i];
		if (hands[k - 1].n == LOCAL)
			handful_empty(&hands[k - 1], &p->picks[k - 1]);
	}
	for (unsigned k = 0; k < p->n; k++)
		handful_empty(&hands[k], &p->picks[k]);
}

/* Returns the pick of a bin, a new one where it has none. */
static struct pick *pick_of(struct picking *p, size_t bin)
{
	if (!p->of_bin[bin]) {
		struct pick *pick = &p->picks[p->n++];

		pick->count = p->from->bins.count[bin];
		pick->few = spill_new(pick->count, sizeof *pick->few);
		pick->n = 0;
		p->of_bin[bin] = (uint8_t)p->n;
	}
	return &p->picks[p->of_bin[bin] - 1];
}

/* Finds the word at a place within its bin, whose words are too many or all alike. */
static int64_t find_within(const struct histogram *all, size_t place);

/* Finds what is at n <= PICKS places. */
static void find_places(const struct histogram *h, const size_t *places, size_t n, int64_t *found)
{
	struct picking *p = array_zero(1, sizeof *p);
	struct pick *picks[PICKS];
	size_t within[PICKS];

	p->from = h;
	for (size_t i = 0; i < n; i++) {
		size_t bin;

		within[i] = places[i];
		bin = quantile_bin_at(&h->bins, &within[i]);
		picks[i] =
		    h->bins.shift && h->bins.count[bin] <= h->n / FEW_OF ? pick_of(p, bin) : NULL;
	}
	if (p->n)
		parallel_chunks(h->n, pick_chunk, p);
	for (size_t i = 0; i < n; i++) {
		if (picks[i]) {
			select_word(picks[i]->few, picks[i]->count, within[i]);
			found[i] = picks[i]->few[within[i]];
		} else {
			found[i] = find_within(h, places[i]);
		}
	}
	for (unsigned k = 0; k < p->n; k++)
		spill_free(p->picks[k].few);
	free(p);
}

static int64_t find_within(const struct histogram *all, size_t place)
{
	size_t bin = quantile_bin_at(&all->bins, &place);
	struct histogram *h;
	int64_t word;

	if (all->bins.shift == 0)
		return (int64_t)((uint64_t)all->bins.low + bin);
	h = array_new(1, sizeof *h);
	*h = *all;
	quantile_bins_narrow(&h->bins, bin);
	parallel_chunks(h->n, quantile_count_chunk, h);
	find_places(h, &place, 1, &word);
	free(h);
	return word;
}

/* The least and the greatest need no count. */
static bool is_end(size_t place, size_t n)
{
	return place == 0 || place == n - 1;
}

static void find_by_histogram(int64_t *words, size_t n, const size_t *places, size_t count,
			      int64_t *found)
{
	struct histogram *h = array_zero(1, sizeof *h);
	bool counted = false;

	h->words = words;
	h->n = n;
	h->low = INT64_MAX;
	h->high = INT64_MIN;
	pthread_mutex_init(&h->mutex, NULL);
	parallel_chunks(n, find_ends, h);
	quantile_bins_set(&h->bins, h->low, (uint64_t)h->high - (uint64_t)h->low);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && end - i < PICKS && !is_end(places[end], n); end++)
			;
		if (end == i) {
			found[end] = places[i] == 0 ? h->low : h->high;
			end++;
			continue;
		}
		if (!counted)
			parallel_chunks(n, quantile_count_chunk, h);
		counted = true;
		find_places(h, places + i, end - i, found + i);
	}
	pthread_mutex_destroy(&h->mutex);
	free(h);
}

void quantiles_find(int64_t *words, size_t n, const size_t *places, size_t count, int64_t *found)
{
	size_t from = 0;

	if (n >= quantile_many) {
		find_by_histogram(words, n, places, count, found);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		select_word(words + from, n - from, places[i] - from);
		from = places[i];
		found[i] = words[from];
	}
}
