/*
 * The moments of both ends of an interval as rows of words, parted by the hash of their equality
 * keys into buckets small enough for the processor's cache. The stream is read in chunks; a bucket
 * is one slice of each, and in it the rows are in the order of the stream.
 *
 * Moments that cannot take part have no row; what is in one, row.h says.
 */
#ifndef GLIMPSE_MATCH_JOIN_PARTITION_H
#define GLIMPSE_MATCH_JOIN_PARTITION_H

#include "match/comparisons/max_tree.h"
#include "match/plan/plan.h"

/* Places have 31 bits in a row. */
#define MOST_MOMENTS (UINT32_MAX >> 1)

enum { ROW_WORDS = 3 + MOST_COLUMNS };

struct rows {
	unsigned width;         /* words in a row */
	unsigned keys;          /* words of the key: 0, 1, 2 */
	/*
	 * Words of which only 32 bits are stored, until they are gathered: what they are more than
	 * the least that they can be, and of a key the value that it was mixed of.
	 */
	uint32_t narrow;
	uint64_t least[ROW_WORDS];
	unsigned halves;        /* 32 bits that a row takes up where it is stored */
	uint32_t *words;
	size_t nbuckets, nchunks;
	unsigned shift;         /* the upper bits of a key are its bucket */
	size_t *first;          /* where each chunk's rows begin */
	const uint64_t *base;   /* what is added to the first words of each chunk's rows; NULL: nothing */
	uint32_t *slices;       /* where in them each bucket begins, by bucket; and the end */
	uint64_t faults;
};

static inline bool row_is_query(const uint64_t *row)
{
	return row[0] & 1;
}

static inline uint64_t row_key(const struct rows *r, const uint64_t *row)
{
	return r->keys ? row[1] : 0;
}

static inline uint64_t row_key_rest(const struct rows *r, const uint64_t *row)
{
	return r->keys == 2 ? row[2] : 0;
}

static inline size_t row_place(const uint64_t *row)
{
	return row[0] >> 1;
}

/* How many moments are read in one piece, and rows wished for in a bucket; tests make them small.
 */
extern size_t rows_chunk, rows_bucket;

void rows_read(struct rows *r, const struct plan *plan, const struct moments *anchors,
	       const struct moments *partners);

/*
 * The same by hand: room for n rows in so many chunks; then for each chunk first[] is set, and its
 * rows are put there. count: room for one more than there are buckets. narrow: the first
 * words have 32 bits.
 */
void rows_new(struct rows *r, const struct plan *plan, size_t n, size_t nchunks, bool narrow);
/* False when a row need not be put, since what it wants, or has, is more than others can have. */
bool rows_fits(const struct rows *r, const uint64_t *row);
void rows_put(struct rows *r, size_t chunk, const uint64_t *row, size_t n, uint32_t *count);

/* How many rows a bucket has; and these, one behind the other. */
size_t rows_count(const struct rows *r, size_t bucket);
void rows_gather(const struct rows *r, size_t bucket, uint64_t *to);
/* All rows as they are stored, when there is only one bucket: they are pushed together where they
 * are. And one of such rows. */
const uint32_t *rows_all(const struct rows *r);
const uint32_t *row_load(const struct rows *r, uint64_t *row, const uint32_t *stored);

void rows_clear(struct rows *r);

#endif
