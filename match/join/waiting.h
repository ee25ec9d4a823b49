/*
 * Rows that wait for another with the same key, in the order in which they came. Whatever comes takes all that wait, or
 * one of them. Keys are two words, the first of them well mixed; those for which nobody waits are forgotten.
 */
#ifndef GLIMPSE_MATCH_JOIN_WAITING_H
#define GLIMPSE_MATCH_JOIN_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WAITING_NOBODY UINT32_MAX
/* So many heads are in the processor's cache. */
#define WAITING_CACHED (1 << 14)

struct waiter {
	uint64_t key, rest, value;
	uint32_t below;         /* of the same key: who is taken after it; of those not in use: the next */
	uint32_t next, last;    /* of who is taken first: that of another key; who is taken last, where the oldest are taken */
};

struct waiting {
	uint32_t *heads;        /* by the lower bits of keys */
	size_t nheads;
	struct waiter *list;
	size_t room;
	uint32_t unused;        /* the first that is free */
	size_t count;           /* how many wait */
};

void waiting_init(struct waiting *w);
void waiting_clear(struct waiting *w);
/* Empties it; it keeps its room. */
void waiting_reset(struct waiting *w);
/* Makes room for one more. */
void waiting_grow(struct waiting *w);
/* Tells of all that wait; those of one key as they would be taken. */
void waiting_each(const struct waiting *w, void (*tell)(void *context, uint64_t value), void *context);

/* Asks the memory for where the key's head is, if it is not in the cache. */
static inline void waiting_ahead(const struct waiting *w, uint64_t key)
{
	if (w->nheads > WAITING_CACHED)
		__builtin_prefetch(&w->heads[key & (w->nheads - 1)]);
}

/* Where it says who is taken first; WAITING_NOBODY stands there when nobody waits for the key. */
static inline uint32_t *waiting_find(struct waiting *w, uint64_t key, uint64_t rest)
{
	uint32_t *link = &w->heads[key & (w->nheads - 1)];

	while (*link != WAITING_NOBODY && (w->list[*link].key != key || w->list[*link].rest != rest))
		link = &w->list[*link].next;
	return link;
}

static inline uint32_t waiting_new(struct waiting *w, uint64_t key, uint64_t rest, uint64_t value)
{
	uint32_t i = w->unused;

	if (__builtin_expect(i == WAITING_NOBODY, 0)) {
		waiting_grow(w);
		i = w->unused;
	}
	w->unused = w->list[i].below;
	w->count++;
	w->list[i] = (struct waiter){key, rest, value, WAITING_NOBODY, WAITING_NOBODY, i};
	return i;
}

/* Takes it out of use. */
static inline uint64_t waiting_drop(struct waiting *w, uint32_t i)
{
	w->list[i].below = w->unused;
	w->unused = i;
	w->count--;
	return w->list[i].value;
}

/* To be taken before those of its key that wait. */
static inline void waiting_push(struct waiting *w, uint64_t key, uint64_t rest, uint64_t value)
{
	uint32_t i = waiting_new(w, key, rest, value), *link = waiting_find(w, key, rest);

	if (*link != WAITING_NOBODY) {
		w->list[i].below = *link;
		w->list[i].next = w->list[*link].next;
	}
	*link = i;
}

/* To be taken after them. */
static inline void waiting_append(struct waiting *w, uint64_t key, uint64_t rest, uint64_t value)
{
	uint32_t i = waiting_new(w, key, rest, value), *link = waiting_find(w, key, rest);

	if (*link != WAITING_NOBODY) {
		struct waiter *first = &w->list[*link];

		w->list[first->last].below = i;
		first->last = i;
	} else {
		*link = i;
	}
}

/* Takes who is taken first there. */
static inline uint64_t waiting_take(struct waiting *w, uint32_t *link)
{
	uint32_t i = *link;
	const struct waiter *one = &w->list[i];

	if (one->below == WAITING_NOBODY) {
		*link = one->next;
	} else {
		w->list[one->below].next = one->next;
		w->list[one->below].last = one->last;
		*link = one->below;
	}
	return waiting_drop(w, i);
}

#endif
