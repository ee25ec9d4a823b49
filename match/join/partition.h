/*
 * Partitions rows by the hash of their keys into buckets that fit into the processor's cache. The
 * stream is added chunk by chunk. A bucket is one slice of each chunk, and in it the rows are in
 * the order of the stream.
 */
#ifndef GLIMPSE_MATCH_JOIN_PARTITION_H
#define GLIMPSE_MATCH_JOIN_PARTITION_H

#include "match/plan/row.h"

struct partition {
	unsigned width;  /* words in a row */
	unsigned keys;   /* words of the key: 0, 1, 2 */
	uint32_t narrow; /* bits of the words that are stored as 32 bits, counted from least[] */
	uint64_t least[ROW_WORDS];
	unsigned halves; /* 32-bit words that a stored row takes up */
	uint32_t *words;
	size_t nbuckets, nchunks;
	unsigned shift;       /* the upper bits of a key are its bucket */
	size_t *first;        /* where each chunk's rows begin, which the caller sets */
	const uint64_t *base; /* added to the first word of each chunk's rows; NULL: nothing */
	uint32_t *slices;     /* where in a chunk each bucket begins, by bucket; and the end */
};

static inline uint64_t row_key(const struct partition *p, const uint64_t *row)
{
	return p->keys ? row[1] : 0;
}

static inline uint64_t row_key_rest(const struct partition *p, const uint64_t *row)
{
	return p->keys == 2 ? row[2] : 0;
}

/* How many rows are wished for in a bucket; tests make it small. */
extern size_t partition_bucket;

/* Makes room for n rows in chunks. narrow: their first words have 32 bits. */
void partition_init(struct partition *p, const struct plan *plan, size_t n, size_t nchunks,
		    bool narrow);
void partition_clear(struct partition *p);

/* Tells whether a row must be put: not if what it has, or wants, is more than others can have. */
bool partition_fits(const struct partition *p, const uint64_t *row);
/* Puts the rows of a chunk. place: room for one more than there are buckets. */
void partition_put(struct partition *p, size_t chunk, const uint64_t *rows, size_t n,
		   uint32_t *place);

size_t partition_count(const struct partition *p, size_t bucket);
/* Loads the rows of a bucket, one after the other. */
void partition_gather(const struct partition *p, size_t bucket, uint64_t *to);

/* Pushes all rows together where they are stored; for a single bucket. row_load() loads one of them
 * and returns where the next one is. */
const uint32_t *partition_stored(const struct partition *p);
const uint32_t *row_load(const struct partition *p, uint64_t *row, const uint32_t *stored);

#endif
