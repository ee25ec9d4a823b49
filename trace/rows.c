#include "trace/rows.h"
#include "trace/array.h"
#include "trace/large.h"
#include "trace/parallel.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUCKETS = 1 << 12 };

size_t rows_chunk = 1 << 16, rows_bucket = 1 << 13;

/* A stretch of the stream: the moments of both sides in it. */
struct chunk {
	size_t begin[2], end[2];        /* by side */
};

/* Rows in the order of the stream, before they are parted. */
struct buffer {
	uint64_t *words;
	size_t room;
	uint32_t *count;                /* rows in each bucket */
};

struct reading {
	struct rows *rows;
	const struct plan *plan;
	const struct moments *moments[2];
	struct chunk *chunks;
	struct buffer *buffers;         /* one for each worker */
	unsigned shift;                 /* the upper bits of a key are its bucket */
	atomic_uint_fast64_t faults;
};

static size_t row_bucket(const struct reading *r, const uint64_t *row)
{
	return r->rows->nbuckets > 1 ? row[1] >> r->shift : 0;
}

/*
 * The values of all equalities, one behind the other, as a number of up to 128 bits; the first word
 * of the key is mixed with the second one so that the two together still tell all numbers apart.
 * More than that is hashed.
 */
static bool key_fill(const struct plan *plan, enum side side, const struct operand *o, size_t i,
		     uint64_t *key, uint64_t *faults)
{
	unsigned __int128 all = 0;
	uint64_t word;

	for (unsigned j = 0; j < plan->nequal; j++) {
		const struct pair *p = &plan->equal[j];

		if (!pair_word(p, side, o, i, &word, faults))
			return false;
		all = plan->exact ? all << (p->bits ? p->bits : 64) | word
				  : word_mix((uint64_t)all) ^ word;
	}
	key[0] = word_mix((uint64_t)all);
	if (plan->keys == 2) {
		key[1] = (uint64_t)(all >> 64);
		key[0] = word_mix(key[0] ^ word_mix(key[1]));
	}
	return true;
}

/* The word of an order: the candidate's must be at least the query's. */
static bool row_order(const struct reading *r, const struct pair *p, enum side side, uint64_t *word)
{
	if (!p->rising)
		*word = ~*word;
	if (side == SIDE_ANCHOR && p->strict && (*word)++ == UINT64_MAX)
		return false;
	if (r->plan->candidates == SIDE_ANCHOR)
		*word = ~*word;
	return true;
}

/* An inequality's two words: the value and its complement. NaN is given two that no number has. */
static void row_differ(const struct pair *p, uint64_t word, bool query, uint64_t *words)
{
	if (p->scale == SCALE_REAL && word == WORD_NAN) {
		words[0] = words[1] = query ? 0 : UINT64_MAX;
	} else {
		words[0] = word;
		words[1] = ~word;
	}
}

static bool row_columns(const struct reading *r, enum side side, const struct operand *o, size_t i,
			uint64_t *words, uint64_t *faults)
{
	for (unsigned j = 0; j < r->plan->norder; j++) {
		const struct pair *p = &r->plan->order[j];
		uint64_t word;

		if (!pair_word(p, side, o, i, &word, faults))
			return false;
		if (p->use == PAIR_DIFFER) {
			row_differ(p, word, side != r->plan->candidates, words);
			words += 2;
		} else {
			if (!row_order(r, p, side, &word))
				return false;
			*words++ = word;
		}
	}
	return true;
}

/* False: the moment cannot take part. */
static bool row_fill(const struct reading *r, enum side side, size_t i, uint64_t *row,
		     uint64_t *faults)
{
	const struct plan *plan = r->plan;
	struct operand o[2];
	enum verdict verdict;

	plan_operand(plan, r->moments[side], i, &o[side]);
	if (!program_empty(plan->filter[side])) {
		verdict = program_holds(plan->filter[side], o);
		*faults += verdict == VERDICT_FAULT;
		if (verdict != VERDICT_TRUE)
			return false;
	}
	*row++ = (uint64_t)i << 1 | (side != plan->candidates);
	if (plan->keys && !key_fill(plan, side, o, i, row, faults))
		return false;
	return row_columns(r, side, o, i, row + plan->keys, faults);
}

/* Both sides of a chunk in the order of the stream. */
struct walk {
	const struct reading *reading;
	size_t at[2], end[2];
	event_rank rank[2];     /* of what is at hand; the greatest: nothing is left */
};

static void walk_look(struct walk *w, enum side side)
{
	w->rank[side] = w->at[side] < w->end[side]
				? moments_rank(w->reading->moments[side], w->at[side])
				: ~(event_rank)0;
}

static struct walk walk_begin(const struct reading *r, const struct chunk *c)
{
	struct walk w = {.reading = r,
			 .at = {c->begin[0], c->begin[1]},
			 .end = {c->end[0], c->end[1]}};

	walk_look(&w, SIDE_ANCHOR);
	walk_look(&w, SIDE_PARTNER);
	return w;
}

/*
 * Which side comes first where both are at the same event: the candidate when later ones are
 * sought, else the query. So an event is neither later nor earlier than itself.
 */
static enum side walk_side(const struct walk *w)
{
	const struct plan *plan = w->reading->plan;
	enum side first = plan->later ? plan->candidates : !plan->candidates;

	return w->rank[first] <= w->rank[!first] ? first : !first;
}

static size_t read_rows(struct reading *r, const struct chunk *c, struct buffer *buffer)
{
	struct walk w = walk_begin(r, c);
	uint64_t *row = buffer->words, faults = 0;
	size_t n = 0;

	while (w.at[0] < c->end[0] || w.at[1] < c->end[1]) {
		enum side side = walk_side(&w);

		if (row_fill(r, side, w.at[side]++, row, &faults)) {
			buffer->count[row_bucket(r, row)]++;
			row += r->rows->width;
			n++;
		}
		walk_look(&w, side);
	}
	atomic_fetch_add(&r->faults, faults);
	return n;
}

/* How many halves of words a row takes up where it is stored. */
static size_t row_halves(const struct rows *rows)
{
	return 2 * (size_t)rows->width - rows->packed;
}

static void row_store(const struct rows *rows, const uint64_t *row, uint32_t *to)
{
	if (rows->packed)
		*to++ = (uint32_t)*row;
	memcpy(to, row + rows->packed, (rows->width - rows->packed) * sizeof *row);
}

/* Where the chunk's rows of each bucket begin; the counts become where the next of them goes. */
static void place_slices(struct rows *rows, size_t chunk, uint32_t *count)
{
	uint32_t sum = 0;

	for (size_t b = 0; b <= rows->nbuckets; b++) {
		uint32_t here = b < rows->nbuckets ? count[b] : 0;

		rows->slices[b * rows->nchunks + chunk] = sum;
		count[b] = sum;
		sum += here;
	}
}

static void read_chunk(void *context, size_t number, unsigned worker)
{
	struct reading *r = context;
	struct rows *rows = r->rows;
	const struct chunk *c = &r->chunks[number];
	struct buffer *buffer = &r->buffers[worker];
	size_t most = c->end[0] - c->begin[0] + c->end[1] - c->begin[1], n;
	uint32_t *to = rows->words + rows->first[number] * row_halves(rows);

	buffer->words = large_room(buffer->words, &buffer->room, most * rows->width,
				   sizeof *buffer->words);
	memset(buffer->count, 0, (rows->nbuckets + 1) * sizeof *buffer->count);
	n = read_rows(r, c, buffer);
	place_slices(rows, number, buffer->count);
	for (const uint64_t *row = buffer->words; n > 0; n--, row += rows->width)
		row_store(rows, row, to + buffer->count[row_bucket(r, row)]++ * row_halves(rows));
}

/* The rank of the k-th of all moments, in the order of the stream: how many of the first side are
 * before it is sought. */
static event_rank rank_at(const struct reading *r, size_t k)
{
	const struct moments *a = r->moments[0], *b = r->moments[1];
	size_t low = k > b->count ? k - b->count : 0, high = k < a->count ? k : a->count;

	while (low < high) {
		size_t i = low + (high - low) / 2;

		if (moments_rank(a, i) < moments_rank(b, k - i - 1))
			low = i + 1;
		else
			high = i;
	}
	if (low == a->count)
		return moments_rank(b, k - low);
	if (k - low == b->count)
		return moments_rank(a, low);
	return moments_rank(a, low) < moments_rank(b, k - low) ? moments_rank(a, low)
							       : moments_rank(b, k - low);
}

/* Stretches of equal numbers of moments; those of one event stay together. */
static void cut_chunks(struct reading *r)
{
	size_t n = r->moments[0]->count + r->moments[1]->count;
	struct chunk before = {{0, 0}, {0, 0}};

	for (size_t i = 0; i < r->rows->nchunks; i++) {
		struct chunk *c = &r->chunks[i];
		bool last = i + 1 == r->rows->nchunks;
		event_rank cut = last ? 0 : rank_at(r, (i + 1) * (n / r->rows->nchunks));

		for (int side = 0; side < 2; side++) {
			const struct moments *m = r->moments[side];

			c->begin[side] = before.end[side];
			c->end[side] = last ? m->count : moments_from(m, cut);
		}
		r->rows->first[i] = c->begin[0] + c->begin[1];
		before = *c;
	}
}

static void choose_buckets(struct reading *r, size_t n)
{
	struct rows *rows = r->rows;

	rows->nbuckets = 1;
	r->shift = 64;
	while (rows->keys && rows->nbuckets < MOST_BUCKETS && rows->nbuckets * rows_bucket < n) {
		rows->nbuckets *= 2;
		r->shift--;
	}
}

static void reading_begin(struct reading *r, size_t n)
{
	struct rows *rows = r->rows;

	choose_buckets(r, n);
	rows->nchunks = n / rows_chunk + 1;
	rows->first = array_new(rows->nchunks, sizeof *rows->first);
	rows->slices = large_new((rows->nbuckets + 1) * rows->nchunks, sizeof *rows->slices);
	rows->packed = rows->nbuckets > 1;
	rows->words = large_new(n * row_halves(rows), sizeof *rows->words);
	r->chunks = array_new(rows->nchunks, sizeof *r->chunks);
	r->buffers = array_zero(parallel_workers(), sizeof *r->buffers);
	for (unsigned i = 0; i < parallel_workers(); i++)
		r->buffers[i].count = array_new(rows->nbuckets + 1, sizeof *r->buffers[i].count);
}

static void reading_end(struct reading *r)
{
	for (unsigned i = 0; i < parallel_workers(); i++) {
		large_free(r->buffers[i].words);
		free(r->buffers[i].count);
	}
	free(r->buffers);
	free(r->chunks);
}

void rows_read(struct rows *rows, const struct plan *plan, const struct moments *anchors,
	       const struct moments *partners)
{
	struct reading r = {.rows = rows, .plan = plan, .moments = {anchors, partners}};

	rows->keys = plan->keys;
	rows->width = 1 + plan->keys + plan_columns(plan);
	reading_begin(&r, anchors->count + partners->count);
	cut_chunks(&r);
	parallel_for(rows->nchunks, read_chunk, &r);
	rows->faults = r.faults;
	reading_end(&r);
}

static size_t slice_size(const struct rows *r, size_t bucket, size_t chunk)
{
	return r->slices[(bucket + 1) * r->nchunks + chunk] -
	       r->slices[bucket * r->nchunks + chunk];
}

size_t rows_count(const struct rows *r, size_t bucket)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nchunks; i++)
		n += slice_size(r, bucket, i);
	return n;
}

/* Where a bucket's slice of a chunk begins. */
static uint32_t *slice_begin(const struct rows *r, size_t bucket, size_t chunk)
{
	return r->words +
	       (r->first[chunk] + r->slices[bucket * r->nchunks + chunk]) * row_halves(r);
}

void rows_gather(const struct rows *r, size_t bucket, uint64_t *to)
{
	size_t rest = r->width - r->packed;

	for (size_t i = 0; i < r->nchunks; i++) {
		const uint32_t *from = slice_begin(r, bucket, i);

		for (size_t n = slice_size(r, bucket, i); n > 0; n--, from += row_halves(r)) {
			if (r->packed)
				to[0] = from[0];
			memcpy(to + r->packed, from + r->packed, rest * sizeof *to);
			to += r->width;
		}
	}
}

uint64_t *rows_all(const struct rows *r)
{
	uint64_t *all = (uint64_t *)r->words, *to = all;

	for (size_t i = 0; i < r->nchunks; i++) {
		size_t n = slice_size(r, 0, i) * r->width;

		memmove(to, slice_begin(r, 0, i), n * sizeof *to);
		to += n;
	}
	return all;
}

void rows_clear(struct rows *r)
{
	large_free(r->words);
	free(r->first);
	large_free(r->slices);
}
