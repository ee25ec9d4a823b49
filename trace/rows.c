#include "trace/rows.h"
#include "trace/array.h"
#include "trace/parallel.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUCKETS = 1 << 12 };

size_t rows_chunk = 1 << 15, rows_bucket = 1 << 13;

/* A stretch of the stream: the moments of both sides in it, and the rows made of them. */
struct chunk {
	size_t begin[2], end[2];        /* by side */
	size_t first, n;                /* its rows */
	uint32_t *count;                /* its rows in each bucket; then where the next of them goes */
};

struct reading {
	struct rows *rows;
	const struct plan *plan;
	const struct moments *moments[2];
	struct chunk *chunks;
	size_t nchunks;
	uint64_t *words, *parted;
	unsigned shift;                 /* the upper bits of a key are its bucket */
	atomic_uint_fast64_t faults;
};

static size_t row_bucket(const struct reading *r, const uint64_t *row)
{
	return r->rows->nbuckets > 1 ? row[1] >> r->shift : 0;
}

/*
 * The values of all equalities, one behind the other, as a number of up to 128 bits; the first word of the key is
 * mixed with the second one so that the two together still tell all numbers apart. More than that is hashed.
 */
static bool key_fill(const struct plan *plan, enum side side, const struct operand *o, size_t i, uint64_t *key)
{
	unsigned __int128 all = 0;
	uint64_t word;

	for (unsigned j = 0; j < plan->nequal; j++) {
		const struct pair *p = &plan->equal[j];

		if (!pair_word(p, side, o, i, &word))
			return false;
		all = plan->exact ? all << pair_bits(p) | word : word_mix((uint64_t)all) ^ word;
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
			uint64_t *words)
{
	for (unsigned j = 0; j < r->plan->norder; j++) {
		const struct pair *p = &r->plan->order[j];
		uint64_t word;

		if (!pair_word(p, side, o, i, &word))
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
static bool row_fill(struct reading *r, enum side side, size_t i, uint64_t *row)
{
	const struct plan *plan = r->plan;
	struct operand o[2];
	enum verdict verdict;

	plan_operand(plan, r->moments[side], i, &o[side]);
	if (!program_empty(plan->filter[side])) {
		verdict = program_holds(plan->filter[side], o);
		if (verdict == VERDICT_FAULT)
			atomic_fetch_add(&r->faults, 1);
		if (verdict != VERDICT_TRUE)
			return false;
	}
	*row++ = (uint64_t)i << 1 | (side != plan->candidates);
	if (plan->keys && !key_fill(plan, side, o, i, row))
		return false;
	return row_columns(r, side, o, i, row + plan->keys);
}

/*
 * Which side comes first where both are at the same event: the candidate when later ones are sought, else the
 * query. So an event is neither later nor earlier than itself.
 */
static enum side next_side(const struct reading *r, const struct chunk *c, const size_t *at)
{
	enum side first = r->plan->later ? r->plan->candidates : !r->plan->candidates;
	enum side second = !first;

	if (at[first] == c->end[first])
		return second;
	if (at[second] == c->end[second])
		return first;
	return moments_rank(r->moments[first], at[first]) <= moments_rank(r->moments[second], at[second]) ?
		       first : second;
}

static void read_chunk(void *context, size_t n, unsigned worker)
{
	struct reading *r = context;
	struct chunk *c = &r->chunks[n];
	size_t at[2] = {c->begin[0], c->begin[1]};
	uint64_t *row = r->words + c->first * r->rows->width;

	(void)worker;
	c->n = 0;
	while (at[0] < c->end[0] || at[1] < c->end[1]) {
		enum side side = next_side(r, c, at);

		if (row_fill(r, side, at[side]++, row)) {
			c->count[row_bucket(r, row)]++;
			c->n++;
			row += r->rows->width;
		}
	}
}

static void part_chunk(void *context, size_t n, unsigned worker)
{
	struct reading *r = context;
	const struct chunk *c = &r->chunks[n];
	unsigned width = r->rows->width;
	const uint64_t *row = r->words + c->first * width;

	(void)worker;
	for (size_t i = 0; i < c->n; i++, row += width) {
		size_t to = r->rows->bucket[row_bucket(r, row)] + c->count[row_bucket(r, row)]++;

		memcpy(r->parted + to * width, row, width * sizeof *row);
	}
}

/* Stretches end where one does on the side with more moments. */
static void cut_chunks(struct reading *r)
{
	enum side more = r->moments[0]->count >= r->moments[1]->count ? 0 : 1;
	const struct moments *m = r->moments[more], *other = r->moments[!more];
	size_t begin[2] = {0, 0};

	r->nchunks = m->count / rows_chunk + 1;
	r->chunks = array_zero(r->nchunks, sizeof *r->chunks);
	for (size_t i = 0; i < r->nchunks; i++) {
		struct chunk *c = &r->chunks[i];
		size_t cut = i + 1 < r->nchunks ? (i + 1) * rows_chunk : m->count;

		/* moments of one event stay together */
		while (cut > begin[more] && cut < m->count && moments_rank(m, cut) == moments_rank(m, cut - 1))
			cut++;
		c->begin[0] = begin[0];
		c->begin[1] = begin[1];
		c->end[more] = begin[more] = cut > begin[more] ? cut : begin[more];
		c->end[!more] = begin[!more] =
			cut < m->count ? moments_from(other, moments_rank(m, cut)) : other->count;
		c->first = c->begin[0] + c->begin[1];
		c->count = array_zero(r->rows->nbuckets, sizeof *c->count);
	}
}

/* From counts to places: a bucket's rows come chunk by chunk, which keeps the order of the stream. */
static void place_buckets(struct reading *r)
{
	struct rows *rows = r->rows;
	size_t total = 0;

	for (size_t b = 0; b < rows->nbuckets; b++) {
		uint32_t within = 0;

		rows->bucket[b] = total;
		for (size_t i = 0; i < r->nchunks; i++) {
			uint32_t count = r->chunks[i].count[b];

			r->chunks[i].count[b] = within;
			within += count;
		}
		total += within;
	}
	rows->bucket[rows->nbuckets] = rows->n = total;
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
	rows->bucket = array_new(rows->nbuckets + 1, sizeof *rows->bucket);
}

static void reading_clear(struct reading *r)
{
	for (size_t i = 0; i < r->nchunks; i++)
		free(r->chunks[i].count);
	free(r->chunks);
	free(r->words);
}

void rows_read(struct rows *rows, const struct plan *plan, const struct moments *anchors,
	       const struct moments *partners)
{
	struct reading r = {.rows = rows, .plan = plan, .moments = {anchors, partners}};
	size_t n = anchors->count + partners->count;

	rows->keys = plan->keys;
	rows->width = 1 + plan->keys + plan_columns(plan);
	choose_buckets(&r, n);
	cut_chunks(&r);
	r.words = array_new(n * rows->width, sizeof *r.words);
	parallel_for(r.nchunks, read_chunk, &r);
	place_buckets(&r);
	r.parted = array_new(rows->n * rows->width, sizeof *r.parted);
	parallel_for(r.nchunks, part_chunk, &r);
	rows->words = r.parted;
	rows->faults = r.faults;
	reading_clear(&r);
}

void rows_clear(struct rows *r)
{
	free(r->words);
	free(r->bucket);
}
