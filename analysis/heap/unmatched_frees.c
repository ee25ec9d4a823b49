#include "analysis/heap/unmatched_frees.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/parallel.h"
#include <stdlib.h>

struct unmatched_search {
	struct heap *heap;
	const struct lifetimes *lifetimes;
	struct moments starts;
	/* of unmatched frees, by address and process; head: index in first */
	struct hash_table objects;
	VECTOR(uint32_t) first; /* the first start of each; UINT32_MAX: none */
};

/* Collects them; which have been there before is not known yet. */
static void unmatched_frees_collect(struct heap *h, const struct lifetimes *l,
				    const struct heap_part *part)
{
	VECTOR(struct heap_unmatched) unmatched = {0};
	int object = h->role->end.object;

	for (size_t i = 0; i < l->nends; i++) {
		if (l->ends_are[i] != END_UNUSED ||
		    !heap_part_has(part, entry_time(l->ends, i), lifetimes_thread(l->ends, i)))
			continue;
		if (object >= 0 && !lifetimes_object(l->ends, i, object))
			h->nothing++;
		else
			*vector_add(&unmatched) = (struct heap_unmatched){.end = (uint32_t)i};
	}
	h->unmatched = unmatched.at;
	h->nunmatched = unmatched.n;
}

static void starts_look(void *context, size_t from, size_t to)
{
	struct unmatched_search *x = context;
	int object = x->heap->role->start.object;

	for (size_t i = from; i < to; i++) {
		const struct hash_slot *slot;

		if (x->lifetimes->end_of[i] == LIFE_NONE)
			continue;
		slot = hash_table_find(&x->objects,
				       hash_mix(lifetimes_object(x->lifetimes->starts, i, object)),
				       lifetimes_process(x->lifetimes, x->lifetimes->starts, i));
		if (slot)
			place_lower(&x->first.at[slot->head], (uint32_t)i);
	}
}

static struct hash_slot *unmatched_slot(struct unmatched_search *x, const struct heap_unmatched *s)
{
	uint64_t address = lifetimes_object(x->lifetimes->ends, s->end, x->heap->role->end.object);

	return hash_table_slot(&x->objects, hash_mix(address),
			       lifetimes_process(x->lifetimes, x->lifetimes->ends, s->end));
}

void unmatched_frees_find(struct heap *h, const struct lifetimes *l, const struct heap_part *part)
{
	struct unmatched_search x = {.heap = h, .lifetimes = l};

	unmatched_frees_collect(h, l, part);
	if (!h->nunmatched || h->role->start.object < 0 || h->role->end.object < 0)
		return;
	for (size_t i = 0; i < h->nunmatched; i++) {
		struct hash_slot *slot = unmatched_slot(&x, &h->unmatched[i]);

		if (slot->head != HASH_NOTHING)
			continue;
		slot->head = (uint32_t)x.first.n;
		*vector_add(&x.first) = UINT32_MAX;
	}
	parallel_chunks(l->nstarts, starts_look, &x);
	for (size_t i = 0; i < h->nunmatched; i++) {
		uint32_t start = x.first.at[unmatched_slot(&x, &h->unmatched[i])->head];

		h->unmatched[i].again =
		    start != UINT32_MAX && event_list_rank(l->starts, start) <
					       event_list_rank(l->ends, h->unmatched[i].end);
	}
	hash_table_free(&x.objects);
	free(x.first.at);
}
