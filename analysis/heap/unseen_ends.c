/* Ends that no event tells: of things that begin again. */
#include "analysis/heap/lifetimes.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/parallel.h"
#include <stdlib.h>
#include <string.h>

/*
 * Only a life that is open, or whose end ends another life too, can have ended unseen. Those of one
 * object stand together, in the order of the stream.
 */
struct unseen_search {
	struct lifetimes *lifetimes;
	struct hash_table objects;   /* by object and process; head: the number of a group */
	VECTOR(uint32_t) candidates; /* places of starts */
	uint32_t *group_of;          /* by candidate */
	VECTOR(uint32_t) first;      /* by group: its first place in starts, and one more */
	uint32_t *starts, *again;    /* by group and order; again: the next start of the object */
};

static void candidates_find(struct unseen_search *x)
{
	struct lifetimes *l = x->lifetimes;

	for (size_t i = 0; i < l->nstarts; i++) {
		uint32_t end = l->end_of[i];

		if (end == LIFE_OPEN || (life_has_end(end) && l->ends_are[end] == END_SHARED))
			*vector_add(&x->candidates) = (uint32_t)i;
	}
}

/* Numbers the objects, and counts the candidates of each. */
static void groups_number(struct unseen_search *x)
{
	const struct lifetimes *l = x->lifetimes;

	x->group_of = array_new(x->candidates.n, sizeof *x->group_of);
	for (size_t i = 0; i < x->candidates.n; i++) {
		uint32_t start = x->candidates.at[i];
		struct hash_slot *slot = hash_table_slot(
		    &x->objects,
		    hash_mix(lifetimes_object(l->starts, start, l->role->start.object)),
		    lifetimes_process(l, l->starts, start));

		if (slot->head == HASH_NOTHING) {
			slot->head = (uint32_t)x->first.n;
			*vector_add(&x->first) = 0;
		}
		x->group_of[i] = slot->head;
		x->first.at[slot->head]++;
	}
	*vector_add(&x->first) = 0;
}

static void groups_fill(struct unseen_search *x)
{
	uint32_t before = 0;

	for (size_t i = 0; i < x->first.n; i++) {
		before += x->first.at[i];
		x->first.at[i] = before;
	}
	x->starts = array_new(x->candidates.n, sizeof *x->starts);
	x->again = array_new(x->candidates.n, sizeof *x->again);
	memset(x->again, 0xff, x->candidates.n * sizeof *x->again);
	for (size_t i = x->candidates.n; i-- > 0;)
		x->starts[--x->first.at[x->group_of[i]]] = x->candidates.at[i];
}

static void again_look(void *context, size_t from, size_t to)
{
	const struct unseen_search *x = context;
	const struct lifetimes *l = x->lifetimes;

	for (size_t i = from; i < to; i++) {
		const struct hash_slot *slot;
		uint32_t first, later;

		if (l->end_of[i] == LIFE_NONE)
			continue;
		slot = hash_table_find(
		    &x->objects, hash_mix(lifetimes_object(l->starts, i, l->role->start.object)),
		    lifetimes_process(l, l->starts, i));
		if (!slot)
			continue;
		first = x->first.at[slot->head];
		later =
		    (uint32_t)lower_bound(k, first, x->first.at[slot->head + 1], x->starts[k] < i);
		if (later > first)
			place_lower(&x->again[later - 1], (uint32_t)i);
	}
}

/* Whether a life still counts as open when its thing begins again. */
static bool is_unseen(const struct lifetimes *l, uint32_t start, uint32_t again)
{
	uint32_t end = l->end_of[start];

	return again != UINT32_MAX && (end == LIFE_OPEN || event_list_rank(l->ends, end) >
							       event_list_rank(l->starts, again));
}

static int unseen_order(const void *left, const void *right)
{
	const struct unseen_end *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static void unseen_mark(struct unseen_search *x)
{
	struct lifetimes *l = x->lifetimes;
	VECTOR(struct unseen_end) unseen = {0};

	for (size_t i = 0; i < x->candidates.n; i++)
		if (is_unseen(l, x->starts[i], x->again[i]))
			*vector_add(&unseen) = (struct unseen_end){x->starts[i], x->again[i]};
	for (size_t i = 0; i < unseen.n; i++)
		l->end_of[unseen.at[i].start] = LIFE_UNSEEN;
	if (unseen.n)
		qsort(unseen.at, unseen.n, sizeof *unseen.at, unseen_order);
	l->unseen = unseen.at;
	l->nunseen = unseen.n;
}

void lifetimes_find_unseen(struct lifetimes *l)
{
	struct unseen_search x = {.lifetimes = l};

	if (l->role->start.object < 0 || l->role->interval->once)
		return;
	candidates_find(&x);
	if (x.candidates.n) {
		groups_number(&x);
		groups_fill(&x);
		parallel_chunks(l->nstarts, again_look, &x);
		unseen_mark(&x);
	}
	hash_table_free(&x.objects);
	free(x.candidates.at);
	free(x.group_of);
	free(x.first.at);
	free(x.starts);
	free(x.again);
}
