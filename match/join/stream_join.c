#include "match/join/stream_join.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/spill.h"
#include "match/join/waiting_list.h"
#include "match/plan/row.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- shards ---- */

enum {
	FIRST_ROOM = 1 << 7,
	PAIRS = 512,
	AHEAD = 8, /* rows */
	MOST_SHARDS = 64,
	ONE_SHARD = 2, /* processors that one shard is enough for: to make rows takes longer */
	WAITING_SHARE = 32,
};

size_t join_most = 1 << 16;
unsigned join_shards = 1;

/* The rows of some keys. */
struct shard {
	struct tickets tickets;
	struct waiting_list waiting;
	size_t rows;   /* that came */
	size_t shared; /* that took more than one */
	size_t n;
	struct joined pairs[PAIRS];
};

static unsigned shards_wanted(const struct stream_join *j)
{
	unsigned workers = parallel_workers(), n = 1;

	while (j->keys && n < MOST_SHARDS &&
	       (n < join_shards || (workers > ONE_SHARD && n < workers)))
		n *= 2;
	return n;
}

void stream_join_begin(struct stream_join *j, const struct plan *plan, bool buckets,
		       void (*joined)(void *context, const struct joined *pairs, size_t n),
		       void *context)
{
	bool candidates_wait = plan->take && !plan->later;

	*j = (struct stream_join){
	    .width = 1 + plan->keys,
	    .keys = plan->keys,
	    .waits = candidates_wait ? plan->candidates : !plan->candidates,
	    .queries_wait = !candidates_wait,
	    .reversed = !plan->take && !plan->later,
	    .take = !plan->take   ? TAKE_ALL
		    : plan->later ? TAKE_OLDEST
				  : TAKE_NEWEST,
	    .shift = 64,
	    .joined = joined,
	    .context = context,
	};
	j->nshards = buckets ? parallel_workers() : shards_wanted(j);
	for (unsigned n = j->nshards; n > 1; n /= 2)
		j->shift--;
	j->shards = array_zero(j->nshards, sizeof *j->shards);
	for (unsigned i = 0; i < j->nshards; i++) {
		tickets_init(&j->shards[i].tickets);
		waiting_open(&j->shards[i].waiting, FIRST_ROOM);
	}
}

void stream_join_end(struct stream_join *j)
{
	for (unsigned i = 0; i < j->nshards; i++)
		waiting_close(&j->shards[i].waiting);
	free(j->shards);
}

static void pairs_flush(struct stream_join *j, struct shard *s)
{
	if (s->n)
		j->joined(j->context, s->pairs, s->n);
	s->n = 0;
}

static inline void pair_add(struct stream_join *j, struct shard *s, uint64_t waited, uint64_t came)
{
	s->pairs[s->n++] = (struct joined){waited, came};
	if (__builtin_expect(s->n == PAIRS, 0))
		pairs_flush(j, s);
}

static inline void waiting_take_all(struct stream_join *j, struct shard *s, uint32_t *link,
				    uint64_t came)
{
	struct waiting_list *w = &s->waiting;
	uint32_t i = *link;

	*link = w->at[i].next_key;
	s->shared += w->at[i].next_same != NOBODY;
	while (i != NOBODY) {
		uint32_t next = w->at[i].next_same;

		pair_add(j, s, waiting_remove(w, i), came);
		i = next;
	}
}

/* Joins n rows, each a step after the one before. The compiler makes one loop for each number of
 * keys and way to take. */
static inline void rows_join(struct stream_join *j, struct shard *s, const uint64_t *row, size_t n,
			     ptrdiff_t step, unsigned keys, int take)
{
	struct waiting_list *w = &s->waiting;

	for (; n > 0; n--, row += step) {
		uint64_t key = keys ? row[1] : 0, rest = keys == 2 ? row[2] : 0;
		uint32_t *link;

		if (keys && n > AHEAD)
			waiting_prefetch(w, row[AHEAD * step + 1]);
		if (row_is_query(row) == j->queries_wait) {
			waiting_add(w, key, rest, row_moment(row), take == TAKE_OLDEST);
			continue;
		}
		link = waiting_find(w, key, rest);
		if (*link == NOBODY)
			pair_add(j, s, JOIN_ALONE, row_moment(row));
		else if (take == TAKE_ALL)
			waiting_take_all(j, s, link, row_moment(row));
		else
			pair_add(j, s, waiting_take(w, link), row_moment(row));
	}
}

static inline void rows_join_as(struct stream_join *j, struct shard *s, const uint64_t *row,
				size_t n, ptrdiff_t step, unsigned keys)
{
	switch (j->take) {
	case TAKE_ALL:
		rows_join(j, s, row, n, step, keys, TAKE_ALL);
		break;
	case TAKE_OLDEST:
		rows_join(j, s, row, n, step, keys, TAKE_OLDEST);
		break;
	default:
		rows_join(j, s, row, n, step, keys, TAKE_NEWEST);
	}
}

static void shard_put(struct stream_join *j, struct shard *s, const uint64_t *rows, size_t n)
{
	ptrdiff_t step = j->reversed ? -(ptrdiff_t)j->width : (ptrdiff_t)j->width;
	const uint64_t *row = j->reversed && n ? rows + (n - 1) * j->width : rows;

	if (j->keys == 1)
		rows_join_as(j, s, row, n, step, 1);
	else
		rows_join_as(j, s, row, n, step, j->keys);
	pairs_flush(j, s);
	s->rows += n;
}

void stream_join_bucket(struct stream_join *j, unsigned worker, const uint64_t *rows, size_t n,
			void (*alone)(void *context, uint64_t waits))
{
	struct shard *s = &j->shards[worker];

	shard_put(j, s, rows, n);
	if (alone)
		waiting_each(&s->waiting, alone, j->context);
	waiting_reset(&s->waiting);
}

/* ---- chunks of the stream ---- */

static unsigned shard_of(const struct stream_join *j, const uint64_t *row)
{
	return j->nshards > 1 ? (unsigned)(row[1] >> j->shift) : 0;
}

/* Parts the rows by shard, and finds where each shard's end. */
static void rows_shard(const struct stream_join *j, const uint64_t *rows, size_t n, uint64_t *to,
		       size_t *ends)
{
	size_t at[MOST_SHARDS] = {0}, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[shard_of(j, rows + i * j->width)]++;
	for (unsigned k = 0; k < j->nshards; k++) {
		size_t here = at[k];

		at[k] = sum;
		sum += here;
		ends[k] = sum;
	}
	for (size_t i = 0; i < n; i++, rows += j->width)
		memcpy(to + at[shard_of(j, rows)]++ * j->width, rows, j->width * sizeof *rows);
}

void stream_join_put(struct stream_join *j, size_t chunk, const uint64_t *rows, size_t n,
		     struct shard_rows *room)
{
	size_t ends[MOST_SHARDS] = {n}, begin = 0;

	if (j->nshards > 1) {
		room->words =
		    spill_reserve(room->words, &room->room, n * j->width, sizeof *room->words);
		rows_shard(j, rows, n, room->words, ends);
		rows = room->words;
	}
	for (unsigned k = 0; k < j->nshards; k++) {
		struct shard *s = &j->shards[k];

		tickets_wait(&s->tickets, chunk);
		if (!j->refused)
			shard_put(j, s, rows + begin * j->width, ends[k] - begin);
		if (s->waiting.count > join_most && s->waiting.count > s->rows / WAITING_SHARE)
			j->refused = true;
		tickets_pass(&s->tickets);
		begin = ends[k];
	}
}

void stream_join_rest(const struct stream_join *j, void (*alone)(void *context, uint64_t waits))
{
	for (unsigned i = 0; i < j->nshards; i++)
		waiting_each(&j->shards[i].waiting, alone, j->context);
}

size_t stream_join_shared(const struct stream_join *j)
{
	size_t n = 0;

	for (unsigned i = 0; i < j->nshards; i++)
		n += j->shards[i].shared;
	return n;
}
