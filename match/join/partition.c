#include "match/join/partition.h"
#include "base/array.h"
#include "base/spill.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_BUCKETS = 1 << 12 };

size_t partition_bucket = 1 << 13;

/* ---- how rows are stored ---- */

/* Returns the least of its words; of their complements, if they are turned round. */
static uint64_t least_word(const struct comparison *c, bool turned)
{
	uint64_t low = (uint64_t)c->low ^ (uint64_t)(c->scale == SCALE_SIGNED) << 63;

	return turned ? ~(low + (((uint64_t)1 << c->bits) - 1)) : low;
}

static void narrow_word(struct partition *p, unsigned word, uint64_t least)
{
	p->narrow |= 1u << word;
	p->least[word] = least;
	p->halves--;
}

static void narrow_columns(struct partition *p, const struct plan *plan)
{
	bool nested = plan->candidates == SIDE_ANCHOR;
	unsigned word = 1 + plan->keys;

	for (unsigned i = 0; i < plan->norder; i++, word++) {
		const struct comparison *c = &plan->order[i];
		bool differs = c->kind == COMPARISON_DIFFER;
		/* its words are at most 32 bits above a least one */
		bool narrow = (c->scale == SCALE_SIGNED || c->scale == SCALE_UNSIGNED) &&
			      c->bits >= 1 && c->bits <= 32;

		if (narrow)
			narrow_word(p, word, least_word(c, !differs && c->rising == nested));
		word += differs;
		if (narrow && differs)
			narrow_word(p, word, least_word(c, true));
	}
}

static bool key_is_narrow(const struct plan *plan)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < plan->nequal; i++)
		bits += comparison_bits(&plan->equal[i]);
	return plan->exact && bits <= 32;
}

void partition_init(struct partition *p, const struct plan *plan, size_t n, size_t nchunks,
		    bool narrow)
{
	*p = (struct partition){.width = row_width(plan),
				.keys = plan->keys,
				.nbuckets = 1,
				.shift = 64,
				.nchunks = nchunks};
	while (p->keys && p->nbuckets < MOST_BUCKETS && p->nbuckets * partition_bucket < n) {
		p->nbuckets *= 2;
		p->shift--;
	}
	p->halves = 2 * p->width;
	if (narrow && (p->nbuckets > 1 || !p->keys)) {
		narrow_word(p, 0, 0);
		if (p->keys && key_is_narrow(plan))
			narrow_word(p, 1, 0);
		narrow_columns(p, plan);
	}
	p->first = array_new(nchunks, sizeof *p->first);
	p->slices = spill_new((p->nbuckets + 1) * nchunks, sizeof *p->slices);
	p->words = spill_new(n * p->halves, sizeof *p->words);
}

void partition_clear(struct partition *p)
{
	spill_free(p->words);
	free(p->first);
	spill_free(p->slices);
}

/* Of narrow words the distance from the least one is stored; of a narrow key, what it was
 * mixed of. */
static inline uint32_t *store_row(const struct partition *p, const uint64_t *row, uint32_t *to)
{
	for (unsigned i = 0; i < p->width; i++) {
		uint64_t word = i == 1 && p->keys && p->narrow & 2 ? hash_unmix(row[1]) : row[i];

		word -= p->least[i];
		*to++ = (uint32_t)word;
		if (!(p->narrow >> i & 1))
			*to++ = (uint32_t)(word >> 32);
	}
	return to;
}

static inline const uint32_t *load_row(const struct partition *p, uint64_t *row,
				       const uint32_t *from)
{
	for (unsigned i = 0; i < p->width; i++) {
		uint64_t word = *from++;

		if (!(p->narrow >> i & 1))
			word |= (uint64_t)*from++ << 32;
		row[i] = word + p->least[i];
	}
	if (p->keys && p->narrow & 2)
		row[1] = hash_mix(row[1]);
	return from;
}

const uint32_t *row_load(const struct partition *p, uint64_t *row, const uint32_t *stored)
{
	return load_row(p, row, stored);
}

bool partition_fits(const struct partition *p, const uint64_t *row)
{
	uint32_t columns = p->narrow >> (1 + p->keys);

	for (unsigned i = 1 + p->keys; columns; i++, columns >>= 1)
		if (columns & 1 && row[i] - p->least[i] > UINT32_MAX)
			return false;
	return true;
}

/* ---- from chunks to slices ---- */

static size_t row_bucket(const struct partition *p, const uint64_t *row)
{
	return p->nbuckets > 1 ? row[1] >> p->shift : 0;
}

/* The partition is a copy: so the compiler knows that no store changes it. */
static inline void put_wide(struct partition p, unsigned width, uint32_t *to, const uint64_t *row,
			    size_t n, uint32_t *place)
{
	p.width = width;
	for (; n > 0; n--, row += p.width)
		store_row(&p, row, to + place[row_bucket(&p, row)]++ * p.halves);
}

void partition_put(struct partition *p, size_t chunk, const uint64_t *rows, size_t n,
		   uint32_t *place)
{
	uint32_t *to = p->words + p->first[chunk] * p->halves, sum = 0;

	memset(place, 0, (p->nbuckets + 1) * sizeof *place);
	for (size_t i = 0; i < n; i++)
		place[row_bucket(p, rows + i * p->width)]++;
	for (size_t b = 0; b <= p->nbuckets; b++) {
		uint32_t here = place[b];

		p->slices[b * p->nchunks + chunk] = sum;
		place[b] = sum;
		sum += here;
	}
	/* the usual widths are unrolled */
	switch (p->width) {
	case 2:
		put_wide(*p, 2, to, rows, n, place);
		break;
	case 3:
		put_wide(*p, 3, to, rows, n, place);
		break;
	default:
		put_wide(*p, p->width, to, rows, n, place);
	}
}

/* ---- from slices to buckets ---- */

static size_t slice_size(const struct partition *p, size_t bucket, size_t chunk)
{
	return p->slices[(bucket + 1) * p->nchunks + chunk] -
	       p->slices[bucket * p->nchunks + chunk];
}

static uint32_t *slice_begin(const struct partition *p, size_t bucket, size_t chunk)
{
	return p->words + (p->first[chunk] + p->slices[bucket * p->nchunks + chunk]) * p->halves;
}

size_t partition_count(const struct partition *p, size_t bucket)
{
	size_t n = 0;

	for (size_t i = 0; i < p->nchunks; i++)
		n += slice_size(p, bucket, i);
	return n;
}

/* Loads a bucket's slice of a chunk. The partition is a copy, as above. */
static inline uint64_t *gather_wide(struct partition p, unsigned width, size_t bucket, size_t chunk,
				    uint64_t *to)
{
	const uint32_t *from = slice_begin(&p, bucket, chunk);
	uint64_t base = p.base ? p.base[chunk] : 0;

	p.width = width;
	for (size_t n = slice_size(&p, bucket, chunk); n > 0; n--, to += p.width) {
		from = load_row(&p, to, from);
		to[0] += base;
	}
	return to;
}

void partition_gather(const struct partition *p, size_t bucket, uint64_t *to)
{
	for (size_t i = 0; i < p->nchunks; i++)
		switch (p->width) {
		case 2:
			to = gather_wide(*p, 2, bucket, i, to);
			break;
		case 3:
			to = gather_wide(*p, 3, bucket, i, to);
			break;
		default:
			to = gather_wide(*p, p->width, bucket, i, to);
		}
}

const uint32_t *partition_stored(const struct partition *p)
{
	uint32_t *to = p->words;

	for (size_t i = 0; i < p->nchunks; i++) {
		size_t n = slice_size(p, 0, i) * p->halves;

		memmove(to, slice_begin(p, 0, i), n * sizeof *to);
		to += n;
	}
	return p->words;
}
