#include "viewers/gorge/instances.h"
#include <stdlib.h>

/* Which sheaf an instance goes into: a hash table by the two threads. */
struct group {
	uint64_t threads; /* the earlier event's above the later one's */
	size_t n;	  /* 0: free */
	size_t sheaf;	  /* in across; unused within a thread */
};

struct sorter {
	struct instances *to;
	const struct matches *from;
	struct group *groups;
	size_t mask, ngroups;
	size_t *alone; /* by thread: how many; then where the next one goes */
};

static struct group *slot_of(struct group *groups, size_t mask, uint64_t threads)
{
	uint64_t hash = threads * 0x9e3779b97f4a7c15u;
	size_t slot = (hash ^ hash >> 32) & mask;

	while (groups[slot].n && groups[slot].threads != threads)
		slot = (slot + 1) & mask;
	return &groups[slot];
}

static void grow(struct sorter *s)
{
	size_t mask = 2 * s->mask + 1;
	struct group *groups = zeroed(mask + 1, sizeof *groups);

	for (size_t i = 0; i <= s->mask; i++)
		if (s->groups[i].n)
			*slot_of(groups, mask, s->groups[i].threads) = s->groups[i];
	free(s->groups);
	s->groups = groups;
	s->mask = mask;
}

/* An instance by its events, in the order of time. */
struct pair {
	event_id early, late;
	int64_t length;
	bool matched; /* false: early is the anchor */
};

static struct pair pair_of(const struct sorter *s, size_t anchor)
{
	bool backwards = s->from->interval->direction == BACKWARDS;
	struct instance i;
	event_id a, b;

	matches_look(s->from, anchor, &i);
	a = census_id(s->to->census, &i.anchor);
	if (!i.partner.record)
		return (struct pair){.early = a};
	b = census_id(s->to->census, &i.partner);
	return (struct pair){backwards ? b : a, backwards ? a : b, i.end - i.start, true};
}

static uint64_t threads_of(const struct pair *p)
{
	return (uint64_t)id_thread(p->early) << 32 | id_thread(p->late);
}

static void count(struct sorter *s)
{
	for (size_t a = 0; a < s->from->count; a++) {
		struct pair p = pair_of(s, a);
		struct group *group;
		if (!p.matched) {
			s->alone[id_thread(p.early)]++;
			continue;
		}
		group = slot_of(s->groups, s->mask, threads_of(&p));
		if (group->n++)
			continue;
		group->threads = threads_of(&p);
		if (++s->ngroups > s->mask / 2)
			grow(s);
	}
}

static void make_room(struct sorter *s)
{
	struct instances *n = s->to;

	for (size_t i = 0; i <= s->mask; i++) {
		struct group *g = &s->groups[i];
		unsigned from = (unsigned)(g->threads >> 32), to = (unsigned)g->threads;
		if (g->n == 0)
			continue;
		g->sheaf = n->across.n;
		if (from == to)
			*vector_add(&n->within[from].rows) = sheaf_new(from, to, g->n);
		else
			*vector_add(&n->across) = sheaf_new(from, to, g->n);
	}
	for (unsigned t = 0; t < n->nthreads; t++) {
		n->first_alone[t + 1] = n->first_alone[t] + s->alone[t];
		s->alone[t] = n->first_alone[t];
	}
	n->alone = zeroed(n->first_alone[n->nthreads], sizeof *n->alone);
}

static void fill(struct sorter *s)
{
	for (size_t a = 0; a < s->from->count; a++) {
		struct pair p = pair_of(s, a);
		unsigned from = id_thread(p.early);
		if (!p.matched) {
			s->to->alone[s->alone[from]++] = id_unit(p.early);
			continue;
		}
		sheaf_add(
		    from == id_thread(p.late)
			? &s->to->within[from].rows.at[0]
			: &s->to->across.at[slot_of(s->groups, s->mask, threads_of(&p))->sheaf],
		    (struct straw){id_unit(p.early), id_unit(p.late), p.length});
	}
}

static void settle(struct instances *n)
{
	for (unsigned t = 0; t < n->nthreads; t++)
		for (size_t i = 0; i < n->within[t].rows.n; i++)
			sheaf_end(&n->within[t].rows.at[i], n->census);
	for (size_t i = 0; i < n->across.n; i++)
		sheaf_end(&n->across.at[i], n->census);
}

struct instances *instances_new(const struct census *c, const struct matches *m)
{
	struct instances *n = zeroed(1, sizeof *n);
	struct sorter s = {.to = n, .from = m, .mask = 1023};

	*n = (struct instances){
	    .interval = m->interval,
	    .census = c,
	    .anchors = m->count,
	    .matched = m->matched,
	    .faults = m->faults,
	    .nthreads = census_trace(c)->nthreads,
	};
	n->within = zeroed(n->nthreads, sizeof *n->within);
	n->first_alone = zeroed(n->nthreads + 1, sizeof *n->first_alone);
	s.groups = zeroed(s.mask + 1, sizeof *s.groups);
	s.alone = zeroed(n->nthreads, sizeof *s.alone);
	count(&s);
	make_room(&s);
	fill(&s);
	settle(n);
	free(s.groups);
	free(s.alone);
	return n;
}

void instances_free(struct instances *n)
{
	if (!n)
		return;
	for (unsigned t = 0; t < n->nthreads; t++) {
		for (size_t i = 0; i < n->within[t].rows.n; i++)
			sheaf_free(&n->within[t].rows.at[i]);
		free(n->within[t].rows.at);
	}
	for (size_t i = 0; i < n->across.n; i++)
		sheaf_free(&n->across.at[i]);
	free(n->within);
	free(n->across.at);
	free(n->alone);
	free(n->first_alone);
	free(n);
}

void instances_each(const struct instances *n, void (*visit)(void *context, const struct sheaf *s),
		    void *context)
{
	for (unsigned t = 0; t < n->nthreads; t++)
		for (size_t i = 0; i < n->within[t].rows.n; i++)
			visit(context, &n->within[t].rows.at[i]);
	for (size_t i = 0; i < n->across.n; i++)
		visit(context, &n->across.at[i]);
}
