#include "trace/rows.h"
#include "trace/array.h"
#include "trace/large.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_BUCKETS = 1 << 12 };

size_t rows_bucket = 1 << 13;

/* How many halves of words a row takes up where it is stored. */
static size_t row_halves(const struct rows *rows)
{
	return 2 * (size_t)rows->width - rows->packed;
}

void rows_new(struct rows *rows, const struct plan *plan, size_t n, size_t nchunks, bool narrow)
{
	*rows = (struct rows){.width = 1 + plan->keys + plan_columns(plan),
			      .keys = plan->keys,
			      .nbuckets = 1,
			      .shift = 64,
			      .nchunks = nchunks};
	while (rows->keys && rows->nbuckets < MOST_BUCKETS && rows->nbuckets * rows_bucket < n) {
		rows->nbuckets *= 2;
		rows->shift--;
	}
	rows->packed = narrow && rows->nbuckets > 1;
	rows->first = array_new(nchunks, sizeof *rows->first);
	rows->slices = large_new((rows->nbuckets + 1) * nchunks, sizeof *rows->slices);
	rows->words = large_new(n * row_halves(rows), sizeof *rows->words);
}

static size_t row_bucket(const struct rows *rows, const uint64_t *row)
{
	return rows->nbuckets > 1 ? row[1] >> rows->shift : 0;
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

void rows_put(struct rows *rows, size_t chunk, const uint64_t *row, size_t n, uint32_t *count)
{
	uint32_t *to = rows->words + rows->first[chunk] * row_halves(rows);

	memset(count, 0, (rows->nbuckets + 1) * sizeof *count);
	for (size_t i = 0; i < n; i++)
		count[row_bucket(rows, row + i * rows->width)]++;
	place_slices(rows, chunk, count);
	for (; n > 0; n--, row += rows->width)
		row_store(rows, row, to + count[row_bucket(rows, row)]++ * row_halves(rows));
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
			to[0] += r->base ? r->base[i] : 0;
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
