#include "analysis/heap/unmatched_frees.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "spec/layout.h"
#include <stdlib.h>

struct unmatched_search {
	struct heap *heap;
	const struct lifetimes *lifetimes;
	struct moments starts;
	struct hash_table objects;      /* of unmatched frees, by address and process; head: index in first */
	VECTOR(uint32_t) first;         /* the first start of each; UINT32_MAX: none */
};

static uint64_t object_at(const struct event_list *l, size_t i, int attribute)
{
	struct event e;

	entry_look(l, i, &e);
	return (uint64_t)record_value(e.type, (unsigned)attribute, e.record).integer;
}

static uint32_t process_at(const struct lifetimes *l, const struct event_list *list, size_t i)
{
	return l->process_of[lifetimes_thread(list, i)];
}

/* Collects them; which have been there before is not known yet. */
static void unmatched_frees_collect(struct heap *h, const struct lifetimes *l, const struct heap_part *part)
{
	VECTOR(struct heap_unmatched) unmatched = {0};
	int object = h->role->end.object;

	for (size_t i = 0; i < l->nends; i++) {
		if (l->ends_are[i] != END_UNUSED ||
		    !heap_part_has(part, entry_time(l->ends, i), lifetimes_thread(l->ends, i)))
			continue;
		if (object >= 0 && !object_at(l->ends, i, object))
			h->nothing++;
		else
			*vector_add(&unmatched) = (struct heap_unmatched){.end = (uint32_t)i};
	}
	h->unmatched = unmatched.at;
	h->nunmatched = unmatched.n;
}

static void lower(uint32_t *to, uint32_t value)
{
	uint32_t is = __atomic_load_n(to, __ATOMIC_RELAXED);

	while (value < is && !__atomic_compare_exchange_n(to, &is, value, true, __ATOMIC_RELAXED,
							  __ATOMIC_RELAXED))
		continue;
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
				       hash_mix(object_at(x->lifetimes->starts, i, object)),
				       process_at(x->lifetimes, x->lifetimes->starts, i));
		if (slot)
			lower(&x->first.at[slot->head], (uint32_t)i);
	}
}

static struct hash_slot *unmatched_slot(struct unmatched_search *x, const struct heap_unmatched *s)
{
	uint64_t address = object_at(x->lifetimes->ends, s->end, x->heap->role->end.object);

	return hash_table_slot(&x->objects, hash_mix(address),
			       process_at(x->lifetimes, x->lifetimes->ends, s->end));
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

		h->unmatched[i].again = start != UINT32_MAX &&
				     event_list_rank(l->starts, start) <
					 event_list_rank(l->ends, h->unmatched[i].end);
	}
	hash_table_free(&x.objects);
	free(x.first.at);
}
