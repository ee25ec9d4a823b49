/* Instances by their threads. */
#include "viewers/gorge/index/instances_sort.h"
#include "base/parallel.h"
#include <stdlib.h>

/* Which spans instances go into: a hash table by their two threads. */
struct group {
	uint64_t threads;       /* the earlier event's above the later one's */
	size_t n;               /* 0: free */
	bool high;              /* some take longer than 32 bits say */
	struct spans *spans;
	size_t next;            /* the place of the next one in the spans */
};

struct groups {
	struct group *at;
	size_t mask, n;
};

/*
 * The anchors are sorted slice by slice on all processors: counted first, so that each slice knows
 * where in the spans its instances go.
 */
struct slice {
	size_t from, to;
	struct groups groups;
	size_t *unmatched;          /* by thread: how many; then where the next one goes */
};

struct sorter {
	struct instances *to;
	const struct matches *from;
	struct slice *slices;
	size_t nslices;
	struct groups groups;   /* of all slices */
};

enum { SLICES_OF_WORKER = 4 };

unsigned instances_fan_threads = 64;

static bool fans(const struct sorter *s)
{
	return s->to->nthreads > instances_fan_threads && s->from->interval->direction == FORWARDS;
}

static struct group *slot_of(const struct groups *g, uint64_t threads)
{
	uint64_t hash = threads * 0x9e3779b97f4a7c15u;
	size_t slot = (hash ^ hash >> 32) & g->mask;

	while (g->at[slot].n && g->at[slot].threads != threads)
		slot = (slot + 1) & g->mask;
	return &g->at[slot];
}

static void groups_begin(struct groups *g, size_t mask)
{
	*g = (struct groups){.at = array_zero(mask + 1, sizeof *g->at), .mask = mask};
}

static void grow(struct groups *g)
{
	struct groups old = *g;

	groups_begin(g, 2 * old.mask + 1);
	g->n = old.n;
	for (size_t i = 0; i <= old.mask; i++)
		if (old.at[i].n)
			*slot_of(g, old.at[i].threads) = old.at[i];
	free(old.at);
}

static void groups_add(struct groups *g, uint64_t threads, size_t n, bool high)
{
	struct group *group = slot_of(g, threads);

	group->high |= high;
	group->n += n;
	if (group->n > n)
		return;
	group->threads = threads;
	if (++g->n > g->mask / 2)
		grow(g);
}

/* An instance by its events, in the order of time. */
struct pair {
	event_id early, late;
	int64_t time, length;
	bool matched; /* false: early is the anchor */
};

static struct pair pair_of(const struct sorter *s, size_t anchor)
{
	bool backwards = s->from->interval->direction == BACKWARDS;
	struct instance i;
	event_id a, b;

	matches_look(s->from, anchor, &i);
	a = event_index_id(s->to->event_index, &i.anchor);
	if (!i.partner.record)
		return (struct pair){.early = a};
	b = event_index_id(s->to->event_index, &i.partner);
	return (struct pair){backwards ? b : a, backwards ? a : b, i.start, i.end - i.start, true};
}

/* A fan's are its thread and none. */
static uint64_t threads_of(const struct sorter *s, const struct pair *p)
{
	unsigned from = event_id_thread(p->early), to = event_id_thread(p->late);

	return (uint64_t)from << 32 | (from != to && fans(s) ? UINT32_MAX : to);
}

static void count_slice(void *context, size_t index, unsigned worker)
{
	struct sorter *s = context;
	struct slice *slice = &s->slices[index];

	(void)worker;
	for (size_t a = slice->from; a < slice->to; a++) {
		struct pair p = pair_of(s, a);
		if (p.matched)
			groups_add(&slice->groups, threads_of(s, &p), 1, p.length >> 32);
		else
			slice->unmatched[event_id_thread(p.early)]++;
	}
}

static void fill_slice(void *context, size_t index, unsigned worker)
{
	struct sorter *s = context;
	struct slice *slice = &s->slices[index];

	(void)worker;
	for (size_t a = slice->from; a < slice->to; a++) {
		struct pair p = pair_of(s, a);
		struct group *group;
		if (!p.matched) {
			s->to->unmatched[slice->unmatched[event_id_thread(p.early)]++] = event_id_unit(p.early);
			continue;
		}
		group = slot_of(&slice->groups, threads_of(s, &p));
		spans_put(group->spans, group->next++,
			  (struct spans_entry){event_id_unit(p.early), event_id_unit(p.late), p.time, p.length,
					 event_id_thread(p.late)});
	}
}

/* How many each slice has becomes where its first one goes. */
static void make_alone(struct sorter *s)
{
	struct instances *n = s->to;
	size_t next = 0;

	for (unsigned t = 0; t < n->nthreads; t++) {
		n->first_unmatched[t] = next;
		for (size_t i = 0; i < s->nslices; i++) {
			size_t count = s->slices[i].unmatched[t];
			s->slices[i].unmatched[t] = next;
			next += count;
		}
	}
	n->first_unmatched[n->nthreads] = next;
	n->unmatched = array_zero(next, sizeof *n->unmatched);
}

static void make_sheaves(struct sorter *s)
{
	struct instances *n = s->to;

	for (size_t i = 0; i <= s->groups.mask; i++) {
		const struct group *g = &s->groups.at[i];
		unsigned from = (unsigned)(g->threads >> 32), to = (unsigned)g->threads;
		if (g->n == 0)
			continue;
		if (from == to)
			*vector_add(&n->within[from].rows) = spans_new(from, to, g->n, false, g->high);
		else
			*vector_add(&n->across) = to == UINT32_MAX ? spans_new(from, from, g->n, true, g->high)
								   : spans_new(from, to, g->n, false, g->high);
	}
}

/* When all of them are there, for they move while they are made. */
static void find_sheaves(struct sorter *s)
{
	size_t across = 0;

	for (size_t i = 0; i <= s->groups.mask; i++) {
		struct group *g = &s->groups.at[i];
		unsigned from = (unsigned)(g->threads >> 32), to = (unsigned)g->threads;
		if (g->n)
			g->spans = from == to ? &s->to->within[from].rows.at[0]
					      : &s->to->across.at[across++];
	}
}

static void share_sheaves(struct sorter *s, struct slice *slice)
{
	for (size_t i = 0; i <= slice->groups.mask; i++) {
		struct group *part = &slice->groups.at[i], *whole;
		if (part->n == 0)
			continue;
		whole = slot_of(&s->groups, part->threads);
		part->spans = whole->spans;
		part->next = whole->next;
		whole->next += part->n;
	}
}

static void begin_slices(struct sorter *s)
{
	size_t n = s->from->count;

	s->nslices = (size_t)parallel_workers() * SLICES_OF_WORKER;
	s->slices = array_zero(s->nslices, sizeof *s->slices);
	for (size_t i = 0; i < s->nslices; i++) {
		s->slices[i] = (struct slice){
		    .from = n / s->nslices * i,
		    .to = i + 1 < s->nslices ? n / s->nslices * (i + 1) : n,
		    .unmatched = array_zero(s->to->nthreads, sizeof *s->slices[i].unmatched)};
		groups_begin(&s->slices[i].groups, 1023);
	}
}

void instances_sort(struct instances *to, const struct matches *from)
{
	struct sorter sorter = {.to = to, .from = from}, *s = &sorter;

	begin_slices(s);
	parallel_for(s->nslices, count_slice, s);
	groups_begin(&s->groups, 1023);
	for (size_t i = 0; i < s->nslices; i++)
		for (size_t k = 0; k <= s->slices[i].groups.mask; k++) {
			const struct group *g = &s->slices[i].groups.at[k];
			if (g->n)
				groups_add(&s->groups, g->threads, g->n, g->high);
		}
	make_alone(s);
	make_sheaves(s);
	find_sheaves(s);
	for (size_t i = 0; i < s->nslices; i++)
		share_sheaves(s, &s->slices[i]);
	parallel_for(s->nslices, fill_slice, s);
	for (size_t i = 0; i < s->nslices; i++) {
		free(s->slices[i].groups.at);
		free(s->slices[i].unmatched);
	}
	free(s->slices);
	free(s->groups.at);
}
