#include "match/join/waiting_list.h"
#include "base/spill.h"
#include <string.h>

/* For each waiter there is room for: so hardly two keys share one. */
enum { HEADS = 4 };

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

void waiting_open(struct waiting_list *w, size_t room)
{
	waiting_allocate(w, room);
	waiting_reset(w);
}

void waiting_reset(struct waiting_list *w)
{
	memset(w->heads, 0xff, w->nheads * sizeof *w->heads);
	waiting_free(w, 0);
	w->count = 0;
}

void waiting_close(struct waiting_list *w)
{
	spill_free(w->heads);
	spill_free(w->at);
}

void waiting_grow(struct waiting_list *w)
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
	waiting_close(&old);
}

void waiting_each(const struct waiting_list *w, void (*alone)(void *, uint64_t), void *context)
{
	for (size_t h = 0; h < w->nheads; h++)
		for (uint32_t first = w->heads[h]; first != NOBODY; first = w->at[first].next_key)
			for (uint32_t i = first; i != NOBODY; i = w->at[i].next_same)
				alone(context, w->at[i].value);
}
