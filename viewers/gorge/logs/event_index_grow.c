/*
 * The index of a trace that has grown, or has another specification: only what is new is read. The
 * entries of an index that grows are in address space that the indices which grow out of each other
 * share.
 */
#include "base/address_space.h"
#include "base/array.h"
#include "base/parallel.h"
#include "trace/open/grow.h"
#include "viewers/gorge/index/event_index_parts.h"
#include <stdlib.h>

/* ---- room ---- */

/* Blocks of a thread, whose units have 32 bits. */
#define MOST_BLOCKS ((size_t)UINT32_MAX / INDEX_BLOCK)
/* What arrays take beyond their entries, as each begins with a page. */
enum { PAGE_SPACE = 8 * 4096 };

struct index_room {
	atomic_uint holders;
	struct address_space *space;
	size_t blocks;
};

static size_t blocks_in(size_t share, unsigned nkinds)
{
	size_t block = sizeof(int64_t) + sizeof(uint32_t) + sizeof(struct index_stop) +
		       nkinds * (sizeof(uint16_t) + 1);
	size_t blocks = share > PAGE_SPACE ? (share - PAGE_SPACE) / block : 0;

	return blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
}

struct index_room *index_room_new(const struct trace *t, unsigned nkinds)
{
	struct address_space *space = trace_can_grow(t) ? address_space_new() : NULL;
	struct index_room *r = space ? array_zero(1, sizeof *r) : NULL;

	if (!r)
		return NULL;
	r->holders = 1;
	r->space = space;
	/* room for four times as many threads */
	r->blocks = blocks_in(address_space_size(space) / (4 * ((size_t)t->nthreads + 64)), nkinds);
	return r;
}

static struct index_room *index_room_hold(struct index_room *r)
{
	r->holders++;
	return r;
}

void index_room_release(struct index_room *r)
{
	if (!r || --r->holders)
		return;
	address_space_free(r->space);
	free(r);
}

size_t index_room_blocks(const struct index_room *r)
{
	return r->blocks;
}

void *index_room_take(struct index_room *r, size_t n, size_t size)
{
	return address_space_take(r->space, n * size);
}

/* ---- growth ---- */

struct growing {
	const struct event_index *from;
	struct event_index *to;
	atomic_bool failed;
};

static bool is_known(const struct growing *g, unsigned thread)
{
	return thread < g->from->trace->nthreads && g->from->threads[thread].nblocks > 0;
}

/* Reads the first event of the last known block. Returns false if the thread has no events. */
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

/*
 * Checks the extremes of a thread's values: with other ones the shifts of all events would change.
 */
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
		shift_range_add(&range,
				&(struct event){.type = spec->events[e.type], .record = e.record});
		g->failed |= memcmp(&range, &g->to->ranges[e.type], sizeof range) != 0;
	} while (!g->failed &&
		 event_source_read(g->to, (unsigned)thread, &reading, &e, &next, NULL));
}

static void go_on(const struct growing *g, unsigned thread)
{
	struct event_index *x = g->to;
	struct index_thread *t = &x->threads[thread];
	struct event_reading reading = {0};
	struct indexed_event e;

	t->events = event_source_events(x->source, thread);
	resume(g, thread, &reading, &e);
	event_index_counts_before(x, t, t->nblocks - 1, t->totals);
	event_index_read_blocks(x, thread, &reading, &e);
}

static void grow_thread(void *context, size_t thread, unsigned worker)
{
	struct growing *g = context;
	struct event_index *x = g->to;
	struct index_thread *t = &x->threads[thread];
	const struct index_thread *before = &g->from->threads[thread];

	(void)worker;
	if (!is_known(g, (unsigned)thread)) {
		g->failed |= !event_index_read_thread(x, (unsigned)thread);
		return;
	}
	*t = *before;
	t->totals = array_zero(x->nkinds, sizeof *t->totals);
	if (!has_more(g, (unsigned)thread))
		memcpy(t->totals, before->totals, x->nkinds * sizeof *t->totals);
	else if (event_source_events(x->source, (unsigned)thread) / INDEX_BLOCK + 1 >
		 index_room_blocks(x->room))
		g->failed = true;
	else
		go_on(g, (unsigned)thread);
}

struct event_index *event_index_grow(const struct event_index *from, const struct trace *t)
{
	struct event_index *x = from->room ? event_index_begin(t) : NULL;
	struct growing g = {from, x, false};

	if (!x)
		return NULL;
	memcpy(x->ranges, from->ranges, t->spec->nevents * sizeof *x->ranges);
	x->room = index_room_hold(from->room);
	if (x->shifted)
		parallel_for(t->nthreads, check_ranges, &g);
	if (!g.failed)
		parallel_for(t->nthreads, grow_thread, &g);
	if (!g.failed)
		return x;
	event_index_free(x);
	return NULL;
}

struct event_index *event_index_respecify(struct event_index *from, const struct trace *t)
{
	struct event_index *x = event_index_begin(t);

	if (!x)
		return NULL;
	memcpy(x->ranges, from->ranges, t->spec->nevents * sizeof *x->ranges);
	memcpy(x->threads, from->threads, t->nthreads * sizeof *x->threads);
	x->room = from->room;
	x->base = from->base ? from->base : from;
	x->base->holders++;
	return x;
}
