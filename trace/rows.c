#include "trace/rows.h"
#include "trace/array.h"
#include "trace/large.h"
#include "trace/parallel.h"
#include "trace/row.h"
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
	struct row_maker maker;
	struct chunk *chunks;
	struct buffer *buffers;         /* one for each worker */
	unsigned shift;                 /* the upper bits of a key are its bucket */
	atomic_uint_fast64_t faults;
};

static size_t row_bucket(const struct reading *r, const uint64_t *row)
{
	return r->rows->nbuckets > 1 ? row[1] >> r->shift : 0;
}

static size_t read_rows(struct reading *r, const struct chunk *c, struct buffer *buffer)
{
	const struct plan *plan = r->plan;
	struct walk walk[2] = {walk_begin(r->moments[0], c->begin[0], c->end[0]),
			       walk_begin(r->moments[1], c->begin[1], c->end[1])};
	/*
	 * Which side comes first where both are at the same event: the candidate when later ones
	 * are sought, else the query. So an event is neither later nor earlier than itself.
	 */
	enum side first = plan->later ? plan->candidates : !plan->candidates;
	uint64_t *row = buffer->words, faults = 0;
	size_t n = 0;

	while (walk[0].rank != WALK_OVER || walk[1].rank != WALK_OVER) {
		enum side side = walk[first].rank <= walk[!first].rank ? first : !first;

		if (row_make(&r->maker, side, &walk[side], row, &faults)) {
			buffer->count[row_bucket(r, row)]++;
			row += r->rows->width;
			n++;
		}
		walk_next(&walk[side]);
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
	struct reading r = {.rows = rows, .plan = plan, .moments = {anchors, partners},
			    .maker = row_maker(plan, anchors->trace)};

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
