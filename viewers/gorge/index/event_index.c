#include "base/array.h"
#include "base/parallel.h"
#include "base/search.h"
#include "spec/layout.h"
#include "viewers/gorge/index/event_index_parts.h"
#include "viewers/gorge/index/logical.h"
#include <math.h>
#include <stdlib.h>

/* Returns the first of the units [low, high) that is at least unit, by bisection. */
static size_t bisect(const uint32_t *units, size_t low, size_t high, uint32_t unit)
{
	return lower_bound(i, low, high, units[i] < unit);
}

/* Searches by doubling steps, then by bisection. */
size_t units_seek(const uint32_t *units, size_t i, size_t end, uint32_t unit)
{
	size_t step = 1;

	while (i + step < end && units[i + step] < unit) {
		i += step;
		step *= 2;
	}
	return bisect(units, i, i + step < end ? i + step : end, unit);
}

size_t units_near(const uint32_t *units, size_t i, size_t end, size_t guess, uint32_t unit)
{
	size_t step = 1, high = guess;

	if (guess >= end)
		high = end;
	else if (units[guess] < unit)
		return units_seek(units, guess, end, unit);
	while (high - i > step && units[high - step] >= unit) {
		high -= step;
		step *= 2;
	}
	return bisect(units, high - i > step ? high - step : i, high, unit);
}

/* ---- shifts ---- */

static double index_number_of(const struct event *e)
{
	struct value v = record_value(e->type, (unsigned)e->type->offset_attribute, e->record);

	return v.kind == VALUE_INT ? (double)v.integer : v.kind == VALUE_REAL ? v.real : 0;
}

struct shift_range shift_range_empty(void)
{
	return (struct shift_range){INFINITY, -INFINITY};
}

void shift_range_add(struct shift_range *r, const struct event *e)
{
	double number = index_number_of(e);

	r->low = fmin(r->low, number);
	r->high = fmax(r->high, number);
}

uint8_t shift_range_place(const struct shift_range *r, const struct event *e)
{
	double part = (index_number_of(e) - r->low) / (r->high - r->low);

	return part >= 0 && part <= 1 ? (uint8_t)lround(part * (SHIFTS - 1)) : SHIFTS / 2;
}

/* ---- making it ---- */

static void number_kinds(struct event_index *x)
{
	const struct spec *spec = x->trace->spec;

	for (unsigned i = 0; i < spec->nevents; i++) {
		x->kinds[i] = x->nkinds;
		x->ranges[i] = shift_range_empty();
		x->nkinds += spec->events[i]->offset_attribute < 0 ? 1 : SHIFTS;
		x->shifted |= spec->events[i]->offset_attribute >= 0;
	}
}

/* Values of attributes that shift, before they are joined. */
struct survey {
	struct event_index *index;
	struct shift_range *ranges; /* by thread and event type */
};

static void survey_thread(void *context, size_t thread, unsigned worker)
{
	struct survey *s = context;
	const struct event_index *x = s->index;
	const struct spec *spec = x->trace->spec;
	struct shift_range *ranges = &s->ranges[thread * spec->nevents];
	const struct event_goal next = {INT64_MAX, UINT32_MAX, 1};
	struct event_reading reading = {0};
	struct indexed_event e;

	(void)worker;
	for (unsigned i = 0; i < spec->nevents; i++)
		ranges[i] = shift_range_empty();
	if (!event_source_begin(x->source, (unsigned)thread, &reading, &e))
		return;
	do
		if (spec->events[e.type]->offset_attribute >= 0)
			shift_range_add(
			    &ranges[e.type],
			    &(struct event){.type = spec->events[e.type], .record = e.record});
	while (event_source_read(x, (unsigned)thread, &reading, &e, &next, NULL));
}

static void find_ranges(struct event_index *x)
{
	unsigned nevents = x->trace->spec->nevents;
	struct survey s = {x, array_zero((size_t)x->trace->nthreads * nevents, sizeof *s.ranges)};

	parallel_for(x->trace->nthreads, survey_thread, &s);
	for (size_t i = 0; i < (size_t)x->trace->nthreads * nevents; i++) {
		struct shift_range *all = &x->ranges[i % nevents];
		all->low = s.ranges[i].low < all->low ? s.ranges[i].low : all->low;
		all->high = s.ranges[i].high > all->high ? s.ranges[i].high : all->high;
	}
	free(s.ranges);
}

/* Begins a block before the event. */
static void begin_block(const struct event_index *x, struct index_thread *t,
			const struct event_reading *r, const struct indexed_event *e,
			const uint64_t *counts)
{
	uint64_t *before = &t->groups[t->nblocks / INDEX_GROUP * x->nkinds];
	uint16_t *within = &t->counts[t->nblocks * x->nkinds];

	if (t->nblocks % INDEX_GROUP == 0)
		memcpy(before, counts, x->nkinds * sizeof *counts);
	for (unsigned k = 0; k < x->nkinds; k++)
		within[k] = (uint16_t)(counts[k] - before[k]);
	t->times[t->nblocks] = e->time;
	t->units[t->nblocks] = e->unit;
	t->stops[t->nblocks++] = event_source_stop(r, e);
}

static void *index_take(const struct event_index *x, size_t n, size_t size)
{
	return x->room ? index_room_take(x->room, n, size) : array_zero(n, size);
}

static bool index_make_room(const struct event_index *x, struct index_thread *t)
{
	size_t blocks = t->events / INDEX_BLOCK + 1;

	if (x->room && blocks > index_room_blocks(x->room))
		return false;
	blocks = x->room ? index_room_blocks(x->room) : blocks;
	t->times = index_take(x, blocks, sizeof *t->times);
	t->units = index_take(x, blocks, sizeof *t->units);
	t->stops = index_take(x, blocks, sizeof *t->stops);
	t->counts = index_take(x, blocks * x->nkinds, sizeof *t->counts);
	t->groups = index_take(x, (blocks / INDEX_GROUP + 1) * x->nkinds, sizeof *t->groups);
	return t->times && t->units && t->stops && t->counts && t->groups;
}

void event_index_read_blocks(const struct event_index *x, unsigned thread, struct event_reading *r,
			     struct indexed_event *e)
{
	const struct event_goal block = {INT64_MAX, UINT32_MAX, INDEX_BLOCK};
	struct index_thread *t = &x->threads[thread];

	while (event_source_read(x, thread, r, e, &block, t->totals))
		begin_block(x, t, r, e, t->totals);
}

bool event_index_read_thread(const struct event_index *x, unsigned thread)
{
	struct index_thread *t = &x->threads[thread];
	struct event_reading reading = {0};
	struct indexed_event e;

	t->events = event_source_events(x->source, thread);
	t->totals = array_zero(x->nkinds, sizeof *t->totals);
	if (!event_source_begin(x->source, thread, &reading, &e))
		return true;
	if (!index_make_room(x, t))
		return false;
	begin_block(x, t, &reading, &e, t->totals);
	event_index_read_blocks(x, thread, &reading, &e);
	return true;
}

struct reading_all {
	struct event_index *index;
	atomic_bool failed;
};

static void read_thread(void *context, size_t thread, unsigned worker)
{
	struct reading_all *r = context;

	(void)worker;
	r->failed |= !event_index_read_thread(r->index, (unsigned)thread);
}

struct event_index *event_index_begin(const struct trace *t)
{
	struct event_source *source = event_source_new(t);
	struct event_index *x = source ? array_zero(1, sizeof *x) : NULL;

	if (!x)
		return NULL;
	x->holders = 1;
	x->trace = t;
	x->source = source;
	x->kinds = array_zero(t->spec->nevents, sizeof *x->kinds);
	x->ranges = array_zero(t->spec->nevents, sizeof *x->ranges);
	x->threads = array_zero(t->nthreads, sizeof *x->threads);
	number_kinds(x);
	return x;
}

static void free_arrays(struct event_index *x)
{
	for (unsigned i = 0; i < x->trace->nthreads; i++) {
		struct index_thread *t = &x->threads[i];
		free(t->totals);
		t->totals = NULL;
		if (x->room)
			continue;
		free(t->times);
		free(t->units);
		free(t->stops);
		free(t->counts);
		free(t->groups);
	}
	index_room_release(x->room);
	x->room = NULL;
}

/* Reads all events; where there is no room for an index that grows, it is made in the heap. */
static void index_read_all(struct event_index *x)
{
	struct reading_all r = {x, false};

	x->room = index_room_new(x->trace, x->nkinds);
	parallel_for(x->trace->nthreads, read_thread, &r);
	if (!r.failed)
		return;
	free_arrays(x);
	memset(x->threads, 0, x->trace->nthreads * sizeof *x->threads);
	parallel_for(x->trace->nthreads, read_thread, &r);
}

struct event_index *event_index_new(const struct trace *t)
{
	struct event_index *x = event_index_begin(t);

	if (!x)
		return NULL;
	if (x->shifted)
		find_ranges(x);
	index_read_all(x);
	return x;
}

/* The order is only there when all is made: until then walks give the times of the logs. */
struct event_index *event_index_logical(struct event_index *from, struct logical_order *order)
{
	struct event_index *x = event_index_begin(from->trace);

	memcpy(x->ranges, from->ranges, x->trace->spec->nevents * sizeof *x->ranges);
	memcpy(x->threads, from->threads, x->trace->nthreads * sizeof *x->threads);
	x->base = from->base ? from->base : from;
	x->base->holders++;
	x->order = order;
	for (unsigned i = 0; i < x->trace->nthreads; i++) {
		struct index_thread *t = &x->threads[i];
		const struct index_thread *was = &from->threads[i];
		struct event_reading r = {0};
		struct indexed_event e;
		t->times = array_zero(t->nblocks, sizeof *t->times);
		for (size_t block = 0; block < t->nblocks; block++) {
			event_source_resume(x->source, i, &was->stops[block], &r, &e);
			t->times[block] = logical_time(order, i, e.seq);
		}
	}
	return x;
}

const struct logical_order *event_index_order(const struct event_index *x)
{
	return x->order;
}

int64_t event_index_duration(const struct event_index *x)
{
	return x->order ? (int64_t)x->order->last * LOGICAL_STEP : x->trace->duration;
}

void event_index_life(const struct event_index *x, unsigned thread, int64_t *first, int64_t *last)
{
	const struct logical_thread *t = x->order ? &x->order->threads[thread] : NULL;

	*first = x->trace->threads[thread].first;
	*last = x->trace->threads[thread].last;
	if (!t || t->numbers.n == 0)
		return;
	*first = (int64_t)t->numbers.at[0] * LOGICAL_STEP;
	*last = (int64_t)t->numbers.at[t->numbers.n - 1] * LOGICAL_STEP;
}

void event_index_free(struct event_index *x)
{
	if (!x || --x->holders)
		return;
	for (unsigned i = 0; x->order && i < x->trace->nthreads; i++)
		free(x->threads[i].times);
	logical_order_free(x->order);
	if (x->base)
		event_index_free(x->base);
	else
		free_arrays(x);
	event_source_free(x->source);
	free(x->threads);
	free(x->kinds);
	free(x->ranges);
	free(x);
}

const struct trace *event_index_trace(const struct event_index *x)
{
	return x->trace;
}

unsigned event_index_kinds(const struct event_index *x)
{
	return x->nkinds;
}

unsigned event_index_kind(const struct event_index *x, const struct event_type *type, unsigned *n)
{
	*n = type->offset_attribute < 0 ? 1 : SHIFTS;
	return x->kinds[type->index];
}

const struct shift_range *event_index_range(const struct event_index *x,
					    const struct event_type *type)
{
	return &x->ranges[type->index];
}

const uint64_t *event_index_totals(const struct event_index *x, unsigned thread)
{
	return x->threads[thread].totals;
}
