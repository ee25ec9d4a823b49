#include "match/join/stream_join.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/spill.h"
#include "match/plan/row.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- the waiting list ---- */

#define NOBODY UINT32_MAX

enum {
	FIRST_ROOM = 1 << 7,
	HEADS = 4,        /* for each waiter there is room for: so hardly two keys share one */
	CACHED = 1 << 14, /* heads that the processor's cache holds */
};

/* Waiters of one key form a list; the first of it stands in the list of its head. */
struct waiter {
	uint64_t key, rest, value;
	uint32_t next_same; /* of the same key; of a free waiter: the next free one */
	uint32_t next_key;  /* of the first of a key: the first of another key with the same head */
	uint32_t last;      /* of the first of a key: the last, where the oldest is taken */
};

struct waiting_list {
	uint32_t *heads;    /* by the lower bits of keys */
	size_t nheads;
	struct waiter *at;
	size_t room;
	uint32_t free;
	size_t count;
};

/* Makes the waiters from there on free, in ascending order. */
static void waiting_free(struct waiting_list *w, size_t from)
{
	for (size_t i = from; i < w->room; i++)
		w->at[i].next_same = i + 1 < w->room ? (uint32_t)i + 1 : NOBODY;
	w->free = (uint32_t)from;
}

static void waiting_allocate(struct waiting_list *w, size_t room)
{
	w->room = room;
	w->nheads = HEADS * room;
	w->at = spill_new(room, sizeof *w->at);
	w->heads = spill_new(w->nheads, sizeof *w->heads);
	memset(w->heads, 0xff, w->nheads * sizeof *w->heads); /* NOBODY */
}

static void waiting_reset(struct waiting_list *w)
{
	memset(w->heads, 0xff, w->nheads * sizeof *w->heads);
	waiting_free(w, 0);
	w->count = 0;
}

static void waiting_clear(struct waiting_list *w)
{
	spill_free(w->heads);
	spill_free(w->at);
}

/* Doubles the room when all of it is used. */
static void waiting_grow(struct waiting_list *w)
{
	struct waiting_list old = *w;

	waiting_allocate(w, 2 * old.room);
	memcpy(w->at, old.at, old.room * sizeof *w->at);
	waiting_free(w, old.room);
	for (size_t h = 0; h < old.nheads; h++)
		for (uint32_t i = old.heads[h], next; i != NOBODY; i = next) {
			uint32_t *head = &w->heads[w->at[i].key & (w->nheads - 1)];

			next = w->at[i].next_key;
			w->at[i].next_key = *head;
			*head = i;
		}
	waiting_clear(&old);
}

static inline void waiting_prefetch(const struct waiting_list *w, uint64_t key)
{
	if (w->nheads > CACHED)
		__builtin_prefetch(&w->heads[key & (w->nheads - 1)]);
}

/* Returns the link to the first waiter of a key; NOBODY stands there if there is none. */
static inline uint32_t *waiting_find(struct waiting_list *w, uint64_t key, uint64_t rest)
{
	uint32_t *link = &w->heads[key & (w->nheads - 1)];

	while (*link != NOBODY && (w->at[*link].key != key || w->at[*link].rest != rest))
		link = &w->at[*link].next_key;
	return link;
}

/* Adds a waiter as the first of its key, or as the last. */
static inline void waiting_add(struct waiting_list *w, uint64_t key, uint64_t rest, uint64_t value,
			       bool last)
{
	uint32_t i, *link;

	if (__builtin_expect(w->free == NOBODY, 0))
		waiting_grow(w);
	i = w->free;
	w->free = w->at[i].next_same;
	w->count++;
	w->at[i] = (struct waiter){key, rest, value, NOBODY, NOBODY, i};
	link = waiting_find(w, key, rest);
	if (*link != NOBODY && last) {
		struct waiter *first = &w->at[*link];

		w->at[first->last].next_same = i;
		first->last = i;
		return;
	}
	if (*link != NOBODY) {
		w->at[i].next_same = *link;
		w->at[i].next_key = w->at[*link].next_key;
	}
	*link = i;
}

static inline uint64_t waiting_remove(struct waiting_list *w, uint32_t i)
{
	w->at[i].next_same = w->free;
	w->free = i;
	w->count--;
	return w->at[i].value;
}

/* Takes the first waiter of the link's key. */
static inline uint64_t waiting_take(struct waiting_list *w, uint32_t *link)
{
	uint32_t i = *link;
	const struct waiter *first = &w->at[i];

	if (first->next_same == NOBODY) {
		*link = first->next_key;
	} else {
		struct waiter *second = &w->at[first->next_same];

		second->next_key = first->next_key;
		second->last = first->last;
		*link = first->next_same;
	}
	return waiting_remove(w, i);
}

static void waiting_each(const struct waiting_list *w, void (*alone)(void *, uint64_t),
			 void *context)
{
	for (size_t h = 0; h < w->nheads; h++)
		for (uint32_t first = w->heads[h]; first != NOBODY; first = w->at[first].next_key)
			for (uint32_t i = first; i != NOBODY; i = w->at[i].next_same)
				alone(context, w->at[i].value);
}

/* ---- shards ---- */

enum {
	PAIRS = 512,
	AHEAD = 8,       /* rows */
	MOST_SHARDS = 64,
	ONE_SHARD = 2,   /* processors that one shard is enough for: to make rows takes longer */
	WAITING_SHARE = 32,
};

size_t join_most = 1 << 16;
unsigned join_shards = 1;

/* The rows of some keys. */
struct shard {
	struct tickets tickets;
	struct waiting_list waiting;
	size_t rows;     /* that came */
	size_t shared;   /* that took more than one */
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
	    .take = !plan->take ? TAKE_ALL : plan->later ? TAKE_OLDEST : TAKE_NEWEST,
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
		waiting_allocate(&j->shards[i].waiting, FIRST_ROOM);
		waiting_reset(&j->shards[i].waiting);
	}
}

void stream_join_end(struct stream_join *j)
{
	for (unsigned i = 0; i < j->nshards; i++)
		waiting_clear(&j->shards[i].waiting);
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
