/*
 * Keeps what waits for its other end, by key: the last or first waiter of a key is found at once,
 * however many wait.
 */
#ifndef GLIMPSE_MATCH_JOIN_WAITING_LIST_H
#define GLIMPSE_MATCH_JOIN_WAITING_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOBODY UINT32_MAX

enum { WAITING_CACHED = 1 << 14 }; /* heads that the processor's cache holds */

/* Waiters of one key form a list; the first of it stands in the list of its head. */
struct waiter {
	uint64_t key, rest, value;
	uint32_t next_same; /* of the same key; of a free waiter: the next free one */
	uint32_t next_key;  /* of the first of a key: the first of another key with the same head */
	uint32_t last;      /* of the first of a key: the last, where the oldest is taken */
};

struct waiting_list {
	uint32_t *heads; /* by the lower bits of keys */
	size_t nheads;
	struct waiter *at;
	size_t room;
	uint32_t free;
	size_t count;
};

/* Makes an empty list with room for so many, a power of 2. */
void waiting_open(struct waiting_list *w, size_t room);
/* Empties the list, which keeps its memory. */
void waiting_reset(struct waiting_list *w);
void waiting_close(struct waiting_list *w);
/* Doubles the room when all of it is used. */
void waiting_grow(struct waiting_list *w);
/* Calls alone() with the value of each one that waits, in no particular order. */
void waiting_each(const struct waiting_list *w, void (*alone)(void *context, uint64_t value),
		  void *context);

static inline void waiting_prefetch(const struct waiting_list *w, uint64_t key)
{
	if (w->nheads > WAITING_CACHED)
		__builtin_prefetch(&w->heads[key & (w->nheads - 1)]);
}

/* Returns the link to the first waiter of a key; it is NOBODY if there is no waiter. */
static inline uint32_t *waiting_find(struct waiting_list *w, uint64_t key, uint64_t rest)
{
	uint32_t *link = &w->heads[key & (w->nheads - 1)];

	while (*link != NOBODY && (w->at[*link].key != key || w->at[*link].rest != rest))
		link = &w->at[*link].next_key;
	return link;
}

/* Adds a waiter as the first of its key, or as the last. Returns its number. */
static inline uint32_t waiting_add(struct waiting_list *w, uint64_t key, uint64_t rest,
				   uint64_t value, bool last)
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
		return i;
	}
	if (*link != NOBODY) {
		w->at[i].next_same = *link;
		w->at[i].next_key = w->at[*link].next_key;
	}
	*link = i;
	return i;
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

#endif
