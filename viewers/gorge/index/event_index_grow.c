/* A event index of what a trace has grown to, or of one that is told anew: only what is new is read. */
#include "base/array.h"
#include "base/parallel.h"
#include "viewers/gorge/index/event_index_room.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct growing {
	const struct event_index *from;
	struct event_index *to;
	atomic_bool failed;
};

/* Whether anything is known of the thread. */
static bool is_known(const struct growing *g, unsigned thread)
{
	return thread < g->from->trace->nthreads && g->from->threads[thread].nblocks > 0;
}

/* To the first event of the last block that is known. False: the thread has no events. */
static bool resume(const struct growing *g, unsigned thread, struct event_reading *r,
		   struct indexed_event *e)
{
	const struct index_thread *before = &g->from->threads[thread];

	if (!is_known(g, thread))
		return event_source_begin(g->to->source, thread, r, e);
	event_source_resume(g->to->source, thread, &before->stops[before->nblocks - 1], r, e);
	return true;
}

static bool has_more(const struct growing *g, unsigned thread)
{
	return !is_known(g, thread) ||
	       event_source_events(g->to->source, thread) > g->from->threads[thread].events;
}

/* With other extremes all events would shift otherwise. */
static void check_ranges(void *context, size_t thread, unsigned worker)
{
	struct growing *g = context;
	const struct spec *spec = g->to->trace->spec;
	const struct event_goal next = {INT64_MAX, UINT32_MAX, 1};
	struct event_reading reading = {0};
	struct indexed_event e;

	(void)worker;
	if (!has_more(g, (unsigned)thread) || !resume(g, (unsigned)thread, &reading, &e))
		return;
	do {
		struct shift_range range = g->to->ranges[e.type];
		if (spec->events[e.type]->offset_attribute < 0)
			continue;
		shift_range_add(&range, &(struct event){.type = spec->events[e.type], .record = e.record});
		g->failed |= memcmp(&range, &g->to->ranges[e.type], sizeof range) != 0;
	} while (!g->failed &&
		 event_source_read(g->to, (unsigned)thread, &reading, &e, &next, NULL));
}

static void go_on(const struct growing *g, unsigned thread)
{
	struct event_index *c = g->to;
	struct index_thread *t = &c->threads[thread];
	struct event_reading reading = {0};
	struct indexed_event e;

	t->events = event_source_events(c->source, thread);
	resume(g, thread, &reading, &e);
	event_index_counts_before(c, t, t->nblocks - 1, t->totals);
	event_index_read_blocks(c, thread, &reading, &e);
}

static void grow_thread(void *context, size_t thread, unsigned worker)
{
	struct growing *g = context;
	struct event_index *c = g->to;
	struct index_thread *t = &c->threads[thread];
	const struct index_thread *before = &g->from->threads[thread];

	(void)worker;
	if (!is_known(g, (unsigned)thread)) {
		g->failed |= !event_index_read_thread(c, (unsigned)thread);
		return;
	}
	*t = *before;
	t->totals = array_zero(c->nkinds, sizeof *t->totals);
	if (!has_more(g, (unsigned)thread))
		memcpy(t->totals, before->totals, c->nkinds * sizeof *t->totals);
	else if (event_source_events(c->source, (unsigned)thread) / INDEX_BLOCK + 1 >
		 index_room_blocks(c->room))
		g->failed = true;
	else
		go_on(g, (unsigned)thread);
}

struct event_index *event_index_grow(const struct event_index *from, const struct trace *t)
{
	struct event_index *c = from->room ? event_index_begin(t) : NULL;
	struct growing g = {from, c, false};

	if (!c)
		return NULL;
	memcpy(c->ranges, from->ranges, t->spec->nevents * sizeof *c->ranges);
	c->room = index_room_hold(from->room);
	if (event_index_has_shifts(c))
		parallel_for(t->nthreads, check_ranges, &g);
	if (!g.failed)
		parallel_for(t->nthreads, grow_thread, &g);
	if (!g.failed)
		return c;
	event_index_free(c);
	return NULL;
}

struct event_index *event_index_respecify(struct event_index *from, const struct trace *t)
{
	struct event_index *c = event_index_begin(t);

	if (!c)
		return NULL;
	memcpy(c->ranges, from->ranges, t->spec->nevents * sizeof *c->ranges);
	memcpy(c->threads, from->threads, t->nthreads * sizeof *c->threads);
	c->room = from->room;
	c->base = from->base ? from->base : from;
	c->base->holders++;
	return c;
}
