/*
 * Selection among very many words: a histogram of all, counted on all processors, says between
 * which values the one wanted is; only those are looked at.
 */
#include "base/array.h"
#include "base/parallel.h"
#include "base/spill.h"
#include "match/stats/series.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BIN_BITS = 12, BINS = 1 << BIN_BITS, FEW_OF = 8 };

size_t narrow_from = 1 << 18;

struct narrowing {
	const int64_t *words;
	size_t n;
	int64_t low, high; /* of the words, or of those that are counted */
	unsigned shift;	   /* bin i begins at low + (i << shift) */
	size_t count[BINS];
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

/* Words of up to so many bins are picked out at a time. */
enum { PICKS = 8, LOCAL = 128 };

/* The words of one bin. */
struct pick {
	int64_t *few;
	size_t count;
	atomic_size_t n; /* so far */
};

struct picking {
	const struct narrowing *from;
	uint8_t of_bin[BINS]; /* which pick, counted from 1; 0: none */
	struct pick picks[PICKS];
	unsigned n;
};

/* What one processor has not put there yet. */
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

static void pick_few(void *context, size_t from, size_t to)
{
	struct picking *p = context;
	const struct narrowing *w = p->from;
	uint64_t span = (uint64_t)w->high - (uint64_t)w->low;
	struct handful hands[PICKS];

	for (unsigned k = 0; k < p->n; k++)
		hands[k].n = 0;
	for (size_t i = from; i < to; i++) {
		uint64_t distance = (uint64_t)w->words[i] - (uint64_t)w->low;
		unsigned k = distance <= span ? p->of_bin[distance >> w->shift] : 0;

		if (__builtin_expect(k == 0, 1))
			continue;
		hands[k - 1].words[hands[k - 1].n++] = w->words[i];
		if (hands[k - 1].n == LOCAL)
			handful_empty(&hands[k - 1], &p->picks[k - 1]);
	}
	for (unsigned k = 0; k < p->n; k++)
		handful_empty(&hands[k], &p->picks[k]);
}

static void narrow_count(struct narrowing *w)
{
	uint64_t span = (uint64_t)w->high - (uint64_t)w->low;

	w->shift = 0;
	while (span >> w->shift >= BINS)
		w->shift++;
	for (size_t b = 0; b < BINS; b++)
		w->count[b] = 0;
	parallel_chunks(w->n, count_bins, w);
}

/* The bin in which the k-th of those counted is; which of that bin it is. */
static size_t bin_of(const struct narrowing *w, size_t *k)
{
	size_t bin = 0;

	for (; *k >= w->count[bin]; bin++)
		*k -= w->count[bin];
	return bin;
}

static void narrow_to(struct narrowing *w, size_t bin)
{
	uint64_t last = (uint64_t)w->low + ((uint64_t)(bin + 1) << w->shift) - 1;

	w->low = (int64_t)((uint64_t)w->low + ((uint64_t)bin << w->shift));
	if (last - (uint64_t)w->low < (uint64_t)w->high - (uint64_t)w->low)
		w->high = (int64_t)last;
	narrow_count(w);
}

/* The pick of that bin, a new one where it has none. */
static struct pick *pick_of(struct picking *p, size_t bin)
{
	if (!p->of_bin[bin]) {
		struct pick *pick = &p->picks[p->n++];

		pick->count = p->from->count[bin];
		pick->few = spill_new(pick->count, sizeof *pick->few);
		pick->n = 0;
		p->of_bin[bin] = (uint8_t)p->n;
	}
	return &p->picks[p->of_bin[bin] - 1];
}

/* The k-th word, where too many are in its bin; w counts all of them, and is left as it was. */
static int64_t narrow_find(const struct narrowing *all, size_t k);

/* What stands at places, no more than PICKS, whose bins are small enough; others are found alone. */
static void places_find(const struct narrowing *w, const size_t *places, size_t n, int64_t *found)
{
	struct picking *p = array_zero(1, sizeof *p);
	struct pick *picks[PICKS];
	size_t rank[PICKS];

	p->from = w;
	for (size_t i = 0; i < n; i++) {
		size_t bin;

		rank[i] = places[i];
		bin = bin_of(w, &rank[i]);
		picks[i] = w->shift && w->count[bin] <= w->n / FEW_OF ? pick_of(p, bin) : NULL;
	}
	if (p->n)
		parallel_chunks(w->n, pick_few, p);
	for (size_t i = 0; i < n; i++) {
		if (picks[i]) {
			select_word(picks[i]->few, picks[i]->count, rank[i]);
			found[i] = picks[i]->few[rank[i]];
		} else {
			found[i] = narrow_find(w, places[i]);
		}
	}
	for (unsigned k = 0; k < p->n; k++)
		spill_free(p->picks[k].few);
	free(p);
}

static int64_t narrow_find(const struct narrowing *all, size_t k)
{
	struct narrowing *w = array_new(1, sizeof *w);
	size_t bin;
	int64_t word;

	*w = *all;
	bin = bin_of(w, &k);
	if (w->shift == 0) {
		word = (int64_t)((uint64_t)w->low + bin);
	} else {
		narrow_to(w, bin);
		places_find(w, &k, 1, &word);
	}
	free(w);
	return word;
}

/* The least and the greatest need no count. */
static bool is_end(size_t place, size_t n)
{
	return place == 0 || place == n - 1;
}

static void select_many(int64_t *words, size_t n, const size_t *places, size_t count,
			int64_t *found)
{
	struct narrowing *w = array_zero(1, sizeof *w);
	bool counted = false;

	w->words = words;
	w->n = n;
	w->low = INT64_MAX;
	w->high = INT64_MIN;
	pthread_mutex_init(&w->mutex, NULL);
	parallel_chunks(n, find_bounds, w);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && end - i < PICKS && !is_end(places[end], n); end++)
			;
		if (end == i) {
			found[end] = places[i] == 0 ? w->low : w->high;
			end++;
			continue;
		}
		if (!counted)
			narrow_count(w);
		counted = true;
		places_find(w, places + i, end - i, found + i);
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
