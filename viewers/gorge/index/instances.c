#include "viewers/gorge/index/instances.h"
#include "base/array.h"
#include "base/parallel.h"
#include <stdlib.h>

/* A hash table of spans by their two threads. */
struct thread_pair {
	uint64_t threads; /* the earlier event's above the later one's */
	size_t n;         /* spans; 0: the slot is free */
	bool high;        /* some lengths have more than 32 bits */
	struct spans *spans;
	size_t next; /* where the next one goes */
};

struct thread_pairs {
	struct thread_pair *at;
	size_t mask, n;
};

/*
 * Some of the anchors. Chunks are counted first, on all processors, so that each knows where in the
 * spans its instances go.
 */
struct anchor_chunk {
	size_t from, to;
	struct thread_pairs groups;
	size_t *unmatched; /* by thread: how many; then where the next one goes */
};

struct sorter {
	struct instances *to;
	const struct matches *from;
	struct anchor_chunk *chunks;
	size_t nchunks;
	struct thread_pairs groups; /* of all chunks */
};

enum { CHUNKS_OF_WORKER = 4 };

unsigned instances_fan_threads = 64;

static bool makes_fans(const struct sorter *s)
{
	return s->to->nthreads > instances_fan_threads && s->from->interval->direction == FORWARDS;
}

static struct thread_pair *instances_slot_of(const struct thread_pairs *g, uint64_t threads)
{
	uint64_t hash = threads * 0x9e3779b97f4a7c15u;
	size_t slot = (hash ^ hash >> 32) & g->mask;

	while (g->at[slot].n && g->at[slot].threads != threads)
		slot = (slot + 1) & g->mask;
	return &g->at[slot];
}

static void groups_begin(struct thread_pairs *g, size_t mask)
{
	*g = (struct thread_pairs){.at = array_zero(mask + 1, sizeof *g->at), .mask = mask};
}

static void grow(struct thread_pairs *g)
{
	struct thread_pairs old = *g;

	groups_begin(g, 2 * old.mask + 1);
	g->n = old.n;
	for (size_t i = 0; i <= old.mask; i++)
		if (old.at[i].n)
			*instances_slot_of(g, old.at[i].threads) = old.at[i];
	free(old.at);
}

static void groups_add(struct thread_pairs *g, uint64_t threads, size_t n, bool high)
{
	struct thread_pair *group = instances_slot_of(g, threads);

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
	if (event_index_order(s->to->event_index)) {
		int64_t from = event_index_time(s->to->event_index, backwards ? b : a),
			to = event_index_time(s->to->event_index, backwards ? a : b);
		/* what leads back is drawn as a moment */
		i.start = from;
		i.end = to > from ? to : from;
	}
	return (struct pair){backwards ? b : a, backwards ? a : b, i.start, i.end - i.start, true};
}

/* Returns both threads as a number; of a fan, its thread and none. */
static uint64_t threads_of(const struct sorter *s, const struct pair *p)
{
	unsigned from = event_id_thread(p->early), to = event_id_thread(p->late);

	return (uint64_t)from << 32 | (from != to && makes_fans(s) ? UINT32_MAX : to);
}

static void instances_count_chunk(void *context, size_t index, unsigned worker)
{
	struct sorter *s = context;
	struct anchor_chunk *chunk = &s->chunks[index];

	(void)worker;
	for (size_t a = chunk->from; a < chunk->to; a++) {
		struct pair p = pair_of(s, a);
		if (p.matched)
			groups_add(&chunk->groups, threads_of(s, &p), 1, p.length >> 32);
		else
			chunk->unmatched[event_id_thread(p.early)]++;
	}
}

static void fill_chunk(void *context, size_t index, unsigned worker)
{
	struct sorter *s = context;
	struct anchor_chunk *chunk = &s->chunks[index];

	(void)worker;
	for (size_t a = chunk->from; a < chunk->to; a++) {
		struct pair p = pair_of(s, a);
		struct thread_pair *group;
		if (!p.matched) {
			size_t *place = &chunk->unmatched[event_id_thread(p.early)];
			s->to->unmatched[(*place)++] = event_id_unit(p.early);
			continue;
		}
		group = instances_slot_of(&chunk->groups, threads_of(s, &p));
		spans_put(group->spans, group->next++,
			  (struct spans_entry){.start = event_id_unit(p.early),
					       .end = event_id_unit(p.late),
					       .time = p.time,
					       .length = p.length,
					       .to = event_id_thread(p.late)});
	}
}

/* Turns the number of each chunk into the place of its first one. */
static void place_unmatched(struct sorter *s)
{
	struct instances *n = s->to;
	size_t next = 0;

	for (unsigned t = 0; t < n->nthreads; t++) {
		n->first_unmatched[t] = next;
		for (size_t i = 0; i < s->nchunks; i++) {
			size_t count = s->chunks[i].unmatched[t];
			s->chunks[i].unmatched[t] = next;
			next += count;
		}
	}
	n->first_unmatched[n->nthreads] = next;
	n->unmatched = array_zero(next, sizeof *n->unmatched);
}

static void make_spans(struct sorter *s)
{
	struct instances *n = s->to;

	for (size_t i = 0; i <= s->groups.mask; i++) {
		const struct thread_pair *g = &s->groups.at[i];
		unsigned from = (unsigned)(g->threads >> 32), to = (unsigned)g->threads;
		bool fan = to == UINT32_MAX;
		struct spans spans;
		if (g->n == 0)
			continue;
		spans = spans_new(from, fan ? from : to, g->n, fan, g->high);
		if (from == to)
			*vector_add(&n->within[from].rows) = spans;
		else
			*vector_add(&n->across) = spans;
	}
}

/* Spans move while others are made: their addresses are taken at last. */
static void find_spans(struct sorter *s)
{
	size_t across = 0;

	for (size_t i = 0; i <= s->groups.mask; i++) {
		struct thread_pair *g = &s->groups.at[i];
		unsigned from = (unsigned)(g->threads >> 32), to = (unsigned)g->threads;
		if (g->n)
			g->spans = from == to ? &s->to->within[from].rows.at[0]
					      : &s->to->across.at[across++];
	}
}

static void share_spans(struct sorter *s, struct anchor_chunk *chunk)
{
	for (size_t i = 0; i <= chunk->groups.mask; i++) {
		struct thread_pair *part = &chunk->groups.at[i], *whole;
		if (part->n == 0)
			continue;
		whole = instances_slot_of(&s->groups, part->threads);
		part->spans = whole->spans;
		part->next = whole->next;
		whole->next += part->n;
	}
}

static void begin_chunks(struct sorter *s)
{
	size_t n = s->from->count;

	s->nchunks = (size_t)parallel_workers() * CHUNKS_OF_WORKER;
	s->chunks = array_zero(s->nchunks, sizeof *s->chunks);
	for (size_t i = 0; i < s->nchunks; i++) {
		s->chunks[i] = (struct anchor_chunk){
		    .from = n / s->nchunks * i,
		    .to = i + 1 < s->nchunks ? n / s->nchunks * (i + 1) : n,
		    .unmatched = array_zero(s->to->nthreads, sizeof *s->chunks[i].unmatched)};
		groups_begin(&s->chunks[i].groups, 1023);
	}
}

static void sort_into_spans(struct instances *to, const struct matches *from)
{
	struct sorter sorter = {.to = to, .from = from}, *s = &sorter;

	begin_chunks(s);
	parallel_for(s->nchunks, instances_count_chunk, s);
	groups_begin(&s->groups, 1023);
	for (size_t i = 0; i < s->nchunks; i++)
		for (size_t k = 0; k <= s->chunks[i].groups.mask; k++) {
			const struct thread_pair *g = &s->chunks[i].groups.at[k];
			if (g->n)
				groups_add(&s->groups, g->threads, g->n, g->high);
		}
	place_unmatched(s);
	make_spans(s);
	find_spans(s);
	for (size_t i = 0; i < s->nchunks; i++)
		share_spans(s, &s->chunks[i]);
	parallel_for(s->nchunks, fill_chunk, s);
	for (size_t i = 0; i < s->nchunks; i++) {
		free(s->chunks[i].groups.at);
		free(s->chunks[i].unmatched);
	}
	free(s->chunks);
	free(s->groups.at);
}

/* ---- all of them ---- */

static void finish_within(void *context, size_t thread, unsigned worker)
{
	struct instances *n = context;

	(void)worker;
	for (size_t i = 0; i < n->within[thread].rows.n; i++)
		spans_finish(&n->within[thread].rows.at[i]);
}

static void finish_across(void *context, size_t i, unsigned worker)
{
	struct instances *n = context;

	(void)worker;
	spans_finish(&n->across.at[i]);
}

struct instances *instances_new(struct generation *g, const struct interval *interval)
{
	struct matches *m = match_interval(generation_trace(g), interval);
	struct instances *n = array_zero(1, sizeof *n);

	*n = (struct instances){
	    .holders = 1,
	    .interval = interval,
	    .generation = generation_hold(g),
	    .event_index = generation_index(g),
	    .anchors = m->count,
	    .matched = m->matched,
	    .faults = m->faults,
	    .crossing = crossing_of(generation_trace(g), m),
	    .nthreads = generation_trace(g)->nthreads,
	};
	n->within = array_zero(n->nthreads, sizeof *n->within);
	n->first_unmatched = array_zero(n->nthreads + 1, sizeof *n->first_unmatched);
	sort_into_spans(n, m);
	parallel_for(n->nthreads, finish_within, n);
	parallel_for(n->across.n, finish_across, n);
	matches_free(m);
	return n;
}

struct instances *instances_hold(struct instances *n)
{
	if (n)
		n->holders++;
	return n;
}

void thread_spans_free(struct thread_spans *s)
{
	for (size_t i = 0; i < s->rows.n; i++)
		spans_free(&s->rows.at[i]);
	free(s->rows.at);
}

void instances_free(struct instances *n)
{
	if (!n || --n->holders)
		return;
	for (unsigned t = 0; t < n->nthreads; t++)
		thread_spans_free(&n->within[t]);
	for (size_t i = 0; i < n->across.n; i++)
		spans_free(&n->across.at[i]);
	free(n->within);
	free(n->across.at);
	free(n->unmatched);
	free(n->first_unmatched);
	generation_release(n->generation);
	free(n);
}

void instances_renew(struct instances *n, struct generation *g, const struct interval *interval)
{
	unsigned before = n->nthreads, now = generation_trace(g)->nthreads;
	struct generation *old = n->generation;

	n->interval = interval;
	n->generation = generation_hold(g);
	n->event_index = generation_index(g);
	generation_release(old);
	if (now == before)
		return;
	n->nthreads = now;
	n->within = array_resize(n->within, now, sizeof *n->within);
	n->first_unmatched =
	    array_resize(n->first_unmatched, (size_t)now + 1, sizeof *n->first_unmatched);
	for (unsigned t = before; t < now; t++) {
		n->within[t] = (struct thread_spans){0};
		n->first_unmatched[t + 1] = n->first_unmatched[t];
	}
}

void instances_each(const struct instances *n, void (*visit)(void *context, const struct spans *s),
		    void *context)
{
	for (unsigned t = 0; t < n->nthreads; t++)
		for (size_t i = 0; i < n->within[t].rows.n; i++)
			visit(context, &n->within[t].rows.at[i]);
	for (size_t i = 0; i < n->across.n; i++)
		visit(context, &n->across.at[i]);
}
