#include "match/join/partition.h"
#include "base/array.h"
#include "base/spill.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_BUCKETS = 1 << 12 };

size_t rows_bucket = 1 << 13;

/* Whether a comparison's words are 32 bits behind a least one. */
static bool pair_narrow(const struct pair *p)
{
	return (p->scale == SCALE_SIGNED || p->scale == SCALE_UNSIGNED) && p->bits >= 1 &&
	       p->bits <= 32;
}

/* The least of them; turned: when their order is turned round. */
static uint64_t pair_least(const struct pair *p, bool turned)
{
	uint64_t low = (uint64_t)p->low ^ (uint64_t)(p->scale == SCALE_SIGNED) << 63;

	return turned ? ~(low + (((uint64_t)1 << p->bits) - 1)) : low;
}

static void narrow_word(struct rows *rows, unsigned word, uint64_t least)
{
	rows->narrow |= 1u << word;
	rows->least[word] = least;
	rows->halves--;
}

static void narrow_columns(struct rows *rows, const struct plan *plan)
{
	bool nested = plan->candidates == SIDE_ANCHOR;
	unsigned word = 1 + plan->keys;

	for (unsigned i = 0; i < plan->norder; i++, word++) {
		const struct pair *p = &plan->order[i];
		bool differs = p->use == PAIR_DIFFER, narrow = pair_narrow(p);

		if (narrow)
			narrow_word(rows, word, pair_least(p, !differs && p->rising == nested));
		word += differs;
		if (narrow && differs)
			narrow_word(rows, word, pair_least(p, true));
	}
}

static bool key_narrow(const struct plan *plan)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < plan->nequal; i++)
		bits += pair_bits(&plan->equal[i]);
	return plan->exact && bits <= 32;
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
	rows->halves = 2 * rows->width;
	if (narrow && (rows->nbuckets > 1 || !rows->keys)) {
		narrow_word(rows, 0, 0);
		if (rows->keys && key_narrow(plan))
			narrow_word(rows, 1, 0);
		narrow_columns(rows, plan);
	}
	rows->first = array_new(nchunks, sizeof *rows->first);
	rows->slices = spill_new((rows->nbuckets + 1) * nchunks, sizeof *rows->slices);
	rows->words = spill_new(n * rows->halves, sizeof *rows->words);
}

static size_t row_bucket(const struct rows *rows, const uint64_t *row)
{
	return rows->nbuckets > 1 ? row[1] >> rows->shift : 0;
}

/* The first words are places, and the next ones keys. */
static inline uint32_t *row_store(const struct rows *rows, const uint64_t *row, uint32_t *to)
{
	for (unsigned i = 0; i < rows->width; i++) {
		uint64_t word =
		    i == 1 && rows->keys && rows->narrow & 2 ? hash_unmix(row[1]) : row[i];

		word -= rows->least[i];
		*to++ = (uint32_t)word;
		if (!(rows->narrow >> i & 1))
			*to++ = (uint32_t)(word >> 32);
	}
	return to;
}

static inline const uint32_t *load(const struct rows *rows, uint64_t *row, const uint32_t *from)
{
	for (unsigned i = 0; i < rows->width; i++) {
		uint64_t word = *from++;

		if (!(rows->narrow >> i & 1))
			word |= (uint64_t)*from++ << 32;
		row[i] = word + rows->least[i];
	}
	if (rows->keys && rows->narrow & 2)
		row[1] = hash_mix(row[1]);
	return from;
}

const uint32_t *row_load(const struct rows *rows, uint64_t *row, const uint32_t *from)
{
	return load(rows, row, from);
}

bool rows_fits(const struct rows *rows, const uint64_t *row)
{
	uint32_t columns = rows->narrow >> (1 + rows->keys);

	for (unsigned i = 1 + rows->keys; columns; i++, columns >>= 1)
		if (columns & 1 && row[i] - rows->least[i] > UINT32_MAX)
			return false;
	return true;
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

/* The rows are a copy, of which the compiler knows that nothing that is stored changes it. */
static inline void put_wide(struct rows rows, unsigned width, uint32_t *to, const uint64_t *row,
			    size_t n, uint32_t *count)
{
	rows.width = width;
	for (; n > 0; n--, row += rows.width)
		row_store(&rows, row, to + count[row_bucket(&rows, row)]++ * rows.halves);
}

static void put_all(const struct rows *rows, uint32_t *to, const uint64_t *row, size_t n,
		    uint32_t *count)
{
	switch (rows->width) {
	case 2:
		put_wide(*rows, 2, to, row, n, count);
		break;
	case 3:
		put_wide(*rows, 3, to, row, n, count);
		break;
	default:
		put_wide(*rows, rows->width, to, row, n, count);
	}
}

void rows_put(struct rows *rows, size_t chunk, const uint64_t *row, size_t n, uint32_t *count)
{
	uint32_t *to = rows->words + rows->first[chunk] * rows->halves;

	memset(count, 0, (rows->nbuckets + 1) * sizeof *count);
	for (size_t i = 0; i < n; i++)
		count[row_bucket(rows, row + i * rows->width)]++;
	place_slices(rows, chunk, count);
	put_all(rows, to, row, n, count);
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
	       (r->first[chunk] + r->slices[bucket * r->nchunks + chunk]) * r->halves;
}

/* A copy, as above. */
static inline uint64_t *gather_wide(struct rows r, unsigned width, const uint32_t *from, size_t n,
				    uint64_t base, uint64_t *to)
{
	r.width = width;
	for (; n > 0; n--, to += r.width) {
		from = load(&r, to, from);
		to[0] += base;
	}
	return to;
}

static uint64_t *gather_slice(const struct rows *r, const uint32_t *from, size_t n, uint64_t base,
			      uint64_t *to)
{
	switch (r->width) {
	case 2:
		return gather_wide(*r, 2, from, n, base, to);
	case 3:
		return gather_wide(*r, 3, from, n, base, to);
	default:
		return gather_wide(*r, r->width, from, n, base, to);
	}
}

void rows_gather(const struct rows *r, size_t bucket, uint64_t *to)
{
	for (size_t i = 0; i < r->nchunks; i++)
		to = gather_slice(r, slice_begin(r, bucket, i), slice_size(r, bucket, i),
				  r->base ? r->base[i] : 0, to);
}

const uint32_t *rows_all(const struct rows *r)
{
	uint32_t *to = r->words;

	for (size_t i = 0; i < r->nchunks; i++) {
		size_t n = slice_size(r, 0, i) * r->halves;

		memmove(to, slice_begin(r, 0, i), n * sizeof *to);
		to += n;
	}
	return r->words;
}

void rows_clear(struct rows *r)
{
	spill_free(r->words);
	free(r->first);
	spill_free(r->slices);
}
