#include "match/join/waiting.h"
#include "base/spill.h"
#include <string.h>

/* Heads are so many for each waiter that there is room for, that hardly two share one. */
enum { FIRST = 1 << 7, HEADS = 4 };

/* Those from there on become free, lower ones first; no others are. */
static void list_free(struct waiting *w, size_t from)
{
	for (size_t i = from; i < w->room; i++)
		w->list[i].below = i + 1 < w->room ? (uint32_t)i + 1 : WAITING_NOBODY;
	w->unused = (uint32_t)from;
}

void waiting_reset(struct waiting *w)
{
	/* all ones: WAITING_NOBODY */
	memset(w->heads, 0xff, w->nheads * sizeof *w->heads);
	list_free(w, 0);
	w->count = 0;
}

static void waiting_size(struct waiting *w, size_t room)
{
	w->room = room;
	w->nheads = HEADS * room;
	w->list = spill_new(room, sizeof *w->list);
	w->heads = spill_new(w->nheads, sizeof *w->heads);
}

void waiting_init(struct waiting *w)
{
	waiting_size(w, FIRST);
	waiting_reset(w);
}

void waiting_clear(struct waiting *w)
{
	spill_free(w->heads);
	spill_free(w->list);
}

/* All that there is room for wait: puts those that are first of their keys below the new heads. */
void waiting_grow(struct waiting *w)
{
	struct waiting before = *w;

	waiting_size(w, 2 * before.room);
	memset(w->heads, 0xff, w->nheads * sizeof *w->heads);
	memcpy(w->list, before.list, before.room * sizeof *w->list);
	list_free(w, before.room);
	for (size_t h = 0; h < before.nheads; h++)
		for (uint32_t i = before.heads[h], next; i != WAITING_NOBODY; i = next) {
			uint32_t *head = &w->heads[w->list[i].key & (w->nheads - 1)];

			next = w->list[i].next;
			w->list[i].next = *head;
			*head = i;
		}
	waiting_clear(&before);
}

void waiting_each(const struct waiting *w, void (*tell)(void *context, uint64_t value), void *context)
{
	for (size_t h = 0; h < w->nheads; h++)
		for (uint32_t first = w->heads[h]; first != WAITING_NOBODY; first = w->list[first].next)
			for (uint32_t i = first; i != WAITING_NOBODY; i = w->list[i].below)
				tell(context, w->list[i].value);
}
