/*
 * Joins rows if equal keys are the whole condition. One side waits, in a table by key. Each row of
 * the other side gets all rows that wait for its key, or one of them.
 *
 * The rows come in the order of the stream, in chunks that all processors make. The waiting list
 * stays in the processor's cache as long as partners are near each other. Where too many rows wait,
 * the join is given up, and done bucket by bucket of a partition instead.
 */
#ifndef GLIMPSE_MATCH_JOIN_STREAM_JOIN_H
#define GLIMPSE_MATCH_JOIN_STREAM_JOIN_H

#include "match/plan/plan.h"
#include <stdatomic.h>

#define JOIN_ALONE UINT64_MAX

/* What the first words of two rows say but for the lowest bit: of the one that waited, or
 * JOIN_ALONE, and of the one that took it. */
struct joined {
	uint64_t waited, came;
};

struct shard;

struct stream_join {
	unsigned width, keys; /* words of a row, and of its key */
	enum side waits;      /* the end of the interval that waits */
	bool queries_wait;
	bool reversed; /* the stream is read from its end */
	enum { TAKE_ALL, TAKE_NEWEST, TAKE_OLDEST } take;
	unsigned nshards, shift; /* each has some of the keys, by their upper bits */
	struct shard *shards;
	/* Is given pairs, in any order, for several shards at a time. */
	void (*joined)(void *context, const struct joined *pairs, size_t n);
	void *context;
	atomic_bool refused;
};

/* The memory in which a worker parts rows by shard. */
struct shard_rows {
	uint64_t *words;
	size_t room;
};

/* The join is given up when more rows wait, and more than one in 32 of all that came; tests make it
 * small. */
extern size_t join_most;
/* Shards there are at least; tests change it. */
extern unsigned join_shards;

/* Begins a join, of the stream or of as many buckets at a time as there are processors. */
void stream_join_begin(struct stream_join *j, const struct plan *plan, bool buckets,
		       void (*joined)(void *context, const struct joined *pairs, size_t n),
		       void *context);
void stream_join_end(struct stream_join *j);

/* Joins a chunk of the stream after the chunks before it, for which it waits. Chunks are numbered
 * in the order in which the stream is read; the rows of each are in the order of the stream. */
void stream_join_put(struct stream_join *j, size_t chunk, const uint64_t *rows, size_t n,
		     struct shard_rows *room);
/* Calls alone() for each row that still waits, with its first word but for the lowest bit. */
void stream_join_rest(const struct stream_join *j, void (*alone)(void *context, uint64_t waits));
/* Joins all rows of a bucket; then calls alone(), if there is one, for those that still wait. */
void stream_join_bucket(struct stream_join *j, unsigned worker, const uint64_t *rows, size_t n,
			void (*alone)(void *context, uint64_t waits));
/* Returns how many rows took more than one. */
size_t stream_join_shared(const struct stream_join *j);

#endif
