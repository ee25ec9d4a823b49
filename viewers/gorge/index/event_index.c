#include "base/array.h"
#include "base/parallel.h"
#include "viewers/gorge/index/event_index_room.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void number_kinds(struct event_index *c)
{
	const struct spec *spec = c->trace->spec;

	for (unsigned i = 0; i < spec->nevents; i++) {
		c->kinds[i] = c->nkinds;
		c->ranges[i] = shift_range_empty();
		c->nkinds += spec->events[i]->offset_attribute < 0 ? 1 : SHIFTS;
		c->shifted |= spec->events[i]->offset_attribute >= 0;
	}
}

bool event_index_has_shifts(const struct event_index *c)
{
	return c->nkinds > c->trace->spec->nevents;
}

/* The values of the attributes that shift, thread by thread. */
struct survey {
	struct event_index *event_index;
	struct shift_range *ranges; /* by thread and event type */
};

static void survey_thread(void *context, size_t thread, unsigned worker)
{
	struct survey *s = context;
	const struct event_index *c = s->event_index;
	const struct spec *spec = c->trace->spec;
	struct shift_range *ranges = &s->ranges[thread * spec->nevents];
	const struct event_goal next = {INT64_MAX, UINT32_MAX, 1};
	struct event_reading reading = {0};
	struct indexed_event e;

	(void)worker;
	for (unsigned i = 0; i < spec->nevents; i++)
		ranges[i] = shift_range_empty();
	if (!event_source_begin(c->source, (unsigned)thread, &reading, &e))
		return;
	do
		if (spec->events[e.type]->offset_attribute >= 0)
			shift_range_add(&ranges[e.type], &(struct event){.type = spec->events[e.type],
								   .record = e.record});
	while (event_source_read(c, (unsigned)thread, &reading, &e, &next, NULL));
}

static void find_ranges(struct event_index *c)
{
	unsigned nevents = c->trace->spec->nevents;
	struct survey s = {c, array_zero((size_t)c->trace->nthreads * nevents, sizeof *s.ranges)};

	parallel_for(c->trace->nthreads, survey_thread, &s);
	for (size_t i = 0; i < (size_t)c->trace->nthreads * nevents; i++) {
		struct shift_range *all = &c->ranges[i % nevents];
		all->low = s.ranges[i].low < all->low ? s.ranges[i].low : all->low;
		all->high = s.ranges[i].high > all->high ? s.ranges[i].high : all->high;
	}
	free(s.ranges);
}

/* Begins a block before the event. */
static void begin_block(const struct event_index *c, struct index_thread *t,
			const struct event_reading *r, const struct indexed_event *e,
			const uint64_t *counts)
{
	uint64_t *before = &t->groups[t->nblocks / INDEX_GROUP * c->nkinds];
	uint16_t *within = &t->counts[t->nblocks * c->nkinds];

	if (t->nblocks % INDEX_GROUP == 0)
		memcpy(before, counts, c->nkinds * sizeof *counts);
	for (unsigned k = 0; k < c->nkinds; k++)
		within[k] = (uint16_t)(counts[k] - before[k]);
	t->times[t->nblocks] = e->time;
	t->units[t->nblocks] = e->unit;
	t->stops[t->nblocks++] = event_source_stop(r, e);
}

static void *take(const struct event_index *c, size_t n, size_t size)
{
	return c->room ? index_room_take(c->room, n, size) : array_zero(n, size);
}

static bool make_room(const struct event_index *c, struct index_thread *t)
{
	size_t blocks = t->events / INDEX_BLOCK + 1;

	if (c->room && blocks > index_room_blocks(c->room))
		return false;
	blocks = c->room ? index_room_blocks(c->room) : blocks;
	t->times = take(c, blocks, sizeof *t->times);
	t->units = take(c, blocks, sizeof *t->units);
	t->stops = take(c, blocks, sizeof *t->stops);
	t->counts = take(c, blocks * c->nkinds, sizeof *t->counts);
	t->groups = take(c, (blocks / INDEX_GROUP + 1) * c->nkinds, sizeof *t->groups);
	return t->times && t->units && t->stops && t->counts && t->groups;
}

void event_index_read_blocks(const struct event_index *c, unsigned thread, struct event_reading *r,
			struct indexed_event *e)
{
	const struct event_goal block = {INT64_MAX, UINT32_MAX, INDEX_BLOCK};
	struct index_thread *t = &c->threads[thread];

	while (event_source_read(c, thread, r, e, &block, t->totals))
		begin_block(c, t, r, e, t->totals);
}

bool event_index_read_thread(const struct event_index *c, unsigned thread)
{
	struct index_thread *t = &c->threads[thread];
	struct event_reading reading = {0};
	struct indexed_event e;

	t->events = event_source_events(c->source, thread);
	t->totals = array_zero(c->nkinds, sizeof *t->totals);
	if (!event_source_begin(c->source, thread, &reading, &e))
		return true;
	if (!make_room(c, t))
		return false;
	begin_block(c, t, &reading, &e, t->totals);
	event_index_read_blocks(c, thread, &reading, &e);
	return true;
}

struct reading_all {
	struct event_index *event_index;
	atomic_bool failed;
};

static void read_thread(void *context, size_t thread, unsigned worker)
{
	struct reading_all *r = context;

	(void)worker;
	r->failed |= !event_index_read_thread(r->event_index, (unsigned)thread);
}

struct event_index *event_index_begin(const struct trace *t)
{
	struct event_source *source = event_source_new(t);
	struct event_index *c = source ? array_zero(1, sizeof *c) : NULL;

	if (!c)
		return NULL;
	c->holders = 1;
	c->trace = t;
	c->source = source;
	c->kinds = array_zero(t->spec->nevents, sizeof *c->kinds);
	c->ranges = array_zero(t->spec->nevents, sizeof *c->ranges);
	c->threads = array_zero(t->nthreads, sizeof *c->threads);
	number_kinds(c);
	return c;
}

static void free_arrays(struct event_index *c)
{
	for (unsigned i = 0; i < c->trace->nthreads; i++) {
		struct index_thread *t = &c->threads[i];
		free(t->totals);
		t->totals = NULL;
		if (c->room)
			continue;
		free(t->times);
		free(t->units);
		free(t->stops);
		free(t->counts);
		free(t->groups);
	}
	index_room_release(c->room);
	c->room = NULL;
}

/* There is room for all where none is kept to grow in. */
static void read_all(struct event_index *c)
{
	struct reading_all r = {c, false};

	c->room = index_room_new(c->trace, c->nkinds);
	parallel_for(c->trace->nthreads, read_thread, &r);
	if (!r.failed)
		return;
	free_arrays(c);
	memset(c->threads, 0, c->trace->nthreads * sizeof *c->threads);
	parallel_for(c->trace->nthreads, read_thread, &r);
}

struct event_index *event_index_new(const struct trace *t)
{
	struct event_index *c = event_index_begin(t);

	if (!c)
		return NULL;
	if (event_index_has_shifts(c))
		find_ranges(c);
	read_all(c);
	return c;
}

void event_index_free(struct event_index *c)
{
	if (!c || --c->holders)
		return;
	if (c->base)
		event_index_free(c->base);
	else
		free_arrays(c);
	event_source_free(c->source);
	free(c->threads);
	free(c->kinds);
	free(c->ranges);
	free(c);
}

const struct trace *event_index_trace(const struct event_index *c)
{
	return c->trace;
}

unsigned event_index_kinds(const struct event_index *c)
{
	return c->nkinds;
}

unsigned event_index_kind(const struct event_index *c, const struct event_type *type, unsigned *n)
{
	*n = type->offset_attribute < 0 ? 1 : SHIFTS;
	return c->kinds[type->index];
}

const struct shift_range *event_index_range(const struct event_index *c, const struct event_type *type)
{
	return &c->ranges[type->index];
}

const uint64_t *event_index_totals(const struct event_index *c, unsigned thread)
{
	return c->threads[thread].totals;
}
