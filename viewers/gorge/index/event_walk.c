#include "viewers/gorge/index/event_walk.h"
#include "base/array.h"
#include "base/search.h"
#include "viewers/gorge/index/event_index_parts.h"
#include "viewers/gorge/index/logical.h"
#include <limits.h>
#include <stdlib.h>

static struct index_thread *thread_of(const struct event_walk *w)
{
	return &w->index->threads[w->thread];
}

void event_index_counts_before(const struct event_index *x, const struct index_thread *t,
			       size_t block, uint64_t *counts)
{
	unsigned n = x->nkinds;
	const uint64_t *before = &t->groups[block / INDEX_GROUP * n];
	const uint16_t *within = &t->counts[block * n];

	for (unsigned k = 0; k < n; k++)
		counts[k] = before[k] + within[k];
}

static void end(struct event_walk *w)
{
	w->ended = true;
	w->at = (struct indexed_event){.time = INT64_MAX, .unit = UINT32_MAX};
}

/* Gives the event the time of the index, where this is another one than that of the log. */
static inline void retime(struct event_walk *w)
{
	if (w->index->order)
		w->at.time = logical_time(w->index->order, w->thread, w->at.seq);
}

static void jump(struct event_walk *w, size_t block)
{
	const struct index_thread *t = thread_of(w);

	event_source_resume(w->index->source, w->thread, &t->stops[block], &w->reading, &w->at);
	retime(w);
	w->next_block = block + 1;
	if (w->counts)
		event_index_counts_before(w->index, t, block, w->counts);
}

void event_walk_begin(struct event_walk *w, const struct event_index *x, unsigned thread,
		      uint64_t *counts)
{
	*w = (struct event_walk){.index = x, .thread = thread, .counts = counts};
	for (unsigned k = 0; counts && k < x->nkinds; k++)
		counts[k] = 0;
	if (x->threads[thread].nblocks == 0)
		end(w);
}

/* Goes to the goal, whose time is logical, one event at a time. */
static void read_logical(struct event_walk *w, const struct event_goal *goal)
{
	const struct event_goal one = {INT64_MAX, UINT32_MAX, 1};

	for (unsigned n = goal->events;
	     !w->ended && n && w->at.time < goal->time && w->at.unit < goal->unit; n--)
		if (event_source_read(w->index, w->thread, &w->reading, &w->at, &one, w->counts))
			retime(w);
		else
			end(w);
}

static void read_to(struct event_walk *w, const struct event_goal *goal)
{
	const struct index_thread *t = thread_of(w);

	if (w->index->order)
		read_logical(w, goal);
	else if (!event_source_read(w->index, w->thread, &w->reading, &w->at, goal, w->counts))
		end(w);
	while (w->next_block < t->nblocks && w->at.unit >= t->units[w->next_block])
		w->next_block++;
}

void event_walk_step(struct event_walk *w)
{
	if (!w->ended)
		read_to(w, &(struct event_goal){INT64_MAX, UINT32_MAX, 1});
}

/* Returns whether a block is before time and unit, only one of which is limited. */
static bool event_walk_is_before(const struct index_thread *t, size_t block, int64_t time,
				 uint32_t unit)
{
	return (time == INT64_MAX || t->times[block] < time) &&
	       (unit == UINT32_MAX || t->units[block] < unit);
}

/*
 * Returns how many blocks begin before both; the first i do. Steps of doubling size away from a
 * guess, that as many blocks are passed as last time, then bisection.
 */
static size_t blocks_before(const struct index_thread *t, size_t i, size_t stride, int64_t time,
			    uint32_t unit)
{
	size_t low = i, high = i + stride < t->nblocks ? i + stride : t->nblocks, step = 1;

	if (high < t->nblocks && event_walk_is_before(t, high, time, unit)) {
		for (low = high + 1; low + step <= t->nblocks &&
				     event_walk_is_before(t, low + step - 1, time, unit);
		     step *= 2)
			low += step;
		high = low + step <= t->nblocks ? low + step - 1 : t->nblocks;
	} else {
		for (; high - low > step && !event_walk_is_before(t, high - step, time, unit);
		     step *= 2)
			high -= step;
		low = high - low > step ? high - step : low;
	}
	return lower_bound(k, low, high, event_walk_is_before(t, k, time, unit));
}

/* Returns whether the walk is there already, or ended. */
static bool is_there(const struct event_walk *w, int64_t time, uint32_t unit)
{
	return w->ended || (w->next_block && (w->at.time >= time || w->at.unit >= unit));
}

/*
 * Goes on from the last of the blocks that begin before the time and the unit: there are `before`.
 */
static void walk_from(struct event_walk *w, size_t before, int64_t time, uint32_t unit)
{
	if (before > w->next_block || !w->next_block)
		jump(w, before ? before - 1 : 0);
	read_to(w, &(struct event_goal){time, unit, UINT_MAX});
}

static void walk_to(struct event_walk *w, int64_t time, uint32_t unit)
{
	size_t before;

	if (is_there(w, time, unit))
		return;
	before = blocks_before(thread_of(w), w->next_block, w->stride, time, unit);
	w->stride = before - w->next_block;
	walk_from(w, before, time, unit);
}

/* The most bytes of a block that are fetched; of a line of the cache; and how many times ahead. */
enum { FETCHED = 768, LINE = 64, AHEAD = 4 };

/* Returns how many bytes of the block have to be read to the time, and two lines more. */
static inline size_t bytes_to(const struct index_thread *t, size_t block, int64_t time)
{
	size_t bytes;

	if (block + 1 == t->nblocks || t->times[block + 1] <= t->times[block])
		return FETCHED;
	bytes = (size_t)(t->stops[block + 1].at - t->stops[block].at);
	if (bytes > FETCHED)
		return FETCHED;
	return (size_t)((double)(time - t->times[block]) /
			(double)(t->times[block + 1] - t->times[block]) * (double)bytes) +
	       2 * LINE;
}

/*
 * Fetches what later times need: their blocks, and then the records. Inline, since the compiler
 * drops a call of a function that only fetches, as one that does nothing.
 */
static inline __attribute__((always_inline)) void
fetch(const struct event_walk *w, const size_t *before, const int64_t *times, size_t i, size_t n)
{
	const struct index_thread *t = thread_of(w);
	size_t far = i + 2 * AHEAD < n ? before[i + 2 * AHEAD] : 0,
	       near = i + AHEAD < n ? before[i + AHEAD] : 0;

	if (far && far != before[i + 2 * AHEAD - 1]) {
		__builtin_prefetch(&t->stops[far - 1]);
		__builtin_prefetch(&t->stops[far]);
		__builtin_prefetch(&t->units[far]);
		__builtin_prefetch(&t->counts[(far - 1) * w->index->nkinds]);
	}
	if (near && near != before[i + AHEAD - 1])
		for (size_t k = 0, end = bytes_to(t, near - 1, times[i + AHEAD]); k < end;
		     k += LINE)
			__builtin_prefetch(t->stops[near - 1].at + k);
}

void event_walk_times(struct event_walk *w, const int64_t *times, size_t n,
		      void (*stand)(void *context, size_t i), void *context)
{
	const struct index_thread *t = thread_of(w);
	size_t *before = array_zero(n, sizeof *before), stride = 0, last = 0;

	for (size_t i = 0; i < n; i++) {
		before[i] = blocks_before(t, last, stride, times[i], UINT32_MAX);
		stride = before[i] - last;
		last = before[i];
		if (stride)
			__builtin_prefetch(&t->times[last + AHEAD * stride]);
	}
	for (size_t i = 0; i < n; i++) {
		fetch(w, before, times, i, n);
		if (!is_there(w, times[i], UINT32_MAX))
			walk_from(w, before[i], times[i], UINT32_MAX);
		stand(context, i);
	}
	free(before);
}

void event_walk_to_time(struct event_walk *w, int64_t time)
{
	walk_to(w, time, UINT32_MAX);
}

void event_walk_to_unit(struct event_walk *w, uint32_t unit)
{
	walk_to(w, INT64_MAX, unit);
}

bool event_walk_event(const struct event_walk *w, struct event *e)
{
	const struct trace *t = w->index->trace;

	if (w->ended)
		return false;
	*e = (struct event){.time = w->at.time,
			    .type = t->spec->events[w->at.type],
			    .record = w->at.record,
			    .thread = t->threads[w->thread].number,
			    .seq = w->at.seq};
	return true;
}

uint32_t event_index_seek(const struct event_index *x, unsigned thread, int64_t time)
{
	struct event_walk w;

	event_walk_begin(&w, x, thread, NULL);
	event_walk_to_time(&w, time);
	return w.at.unit;
}

int64_t event_index_time(const struct event_index *x, event_id id)
{
	struct event_walk w;

	event_walk_begin(&w, x, event_id_thread(id), NULL);
	event_walk_to_unit(&w, event_id_unit(id));
	return w.at.time;
}

int64_t event_index_clock(const struct event_index *x, event_id id)
{
	return event_index_time(x->order ? x->base : x, id);
}

bool event_index_event(const struct event_index *x, event_id id, struct event *e)
{
	struct event_walk w;

	if (event_id_thread(id) >= x->trace->nthreads)
		return false;
	event_walk_begin(&w, x, event_id_thread(id), NULL);
	event_walk_to_unit(&w, event_id_unit(id));
	return w.at.unit == event_id_unit(id) && event_walk_event(&w, e);
}

const unsigned char *event_index_record(const struct event_index *x, event_id id)
{
	return event_source_record(x->source, event_id_thread(id), event_id_unit(id));
}

static uint64_t count_of_kind(const struct event_index *x, const struct index_thread *t,
			      size_t block, unsigned kind)
{
	return t->groups[block / INDEX_GROUP * x->nkinds + kind] +
	       t->counts[block * x->nkinds + kind];
}

bool event_index_before(const struct event_index *x, event_id id, event_id *before)
{
	const struct index_thread *t = &x->threads[event_id_thread(id)];
	size_t blocks = blocks_before(t, 0, 0, INT64_MAX, event_id_unit(id));
	struct event_walk w;

	if (blocks == 0)
		return false;
	event_walk_begin(&w, x, event_id_thread(id), NULL);
	for (jump(&w, blocks - 1); w.at.unit < event_id_unit(id); event_walk_step(&w))
		*before = event_id_make(event_id_thread(id), w.at.unit);
	return true;
}

bool event_index_after(const struct event_index *x, event_id id, event_id *after)
{
	struct event_walk w;

	event_walk_begin(&w, x, event_id_thread(id), NULL);
	event_walk_to_unit(&w, event_id_unit(id) + 1);
	*after = event_id_make(event_id_thread(id), w.at.unit);
	return !w.ended;
}

/* Blocks without such an event are left out. */
bool event_index_find(const struct event_index *x, event_id id, unsigned kind, event_id *found)
{
	const struct index_thread *t = &x->threads[event_id_thread(id)];
	uint64_t *counts = array_zero(x->nkinds, sizeof *counts);
	struct event_walk w;

	event_walk_begin(&w, x, event_id_thread(id), counts);
	event_walk_to_unit(&w, event_id_unit(id));
	while (!w.ended && event_index_kind_of(x, &w.at) != kind)
		if (w.next_block < t->nblocks &&
		    count_of_kind(x, t, w.next_block, kind) == counts[kind])
			jump(&w, w.next_block);
		else
			event_walk_step(&w);
	free(counts);
	*found = event_id_make(event_id_thread(id), w.at.unit);
	return !w.ended;
}

/* ---- ranks ---- */

event_id event_index_id(const struct event_index *x, const struct event *e)
{
	unsigned thread = trace_thread_index(x->trace, e->thread);
	struct event_walk w;
	uint32_t unit;

	if (event_source_unit(x->source, thread, e, &unit))
		return event_id_make(thread, unit);
	event_walk_begin(&w, x, thread, NULL);
	for (event_walk_to_time(&w, e->time); !w.ended && w.at.record != e->record;)
		event_walk_step(&w);
	return event_id_make(thread, w.at.unit);
}

static uint64_t of_type(const struct event_index *x, const struct event_type *type,
			const uint64_t *counts)
{
	unsigned n, kind = event_index_kind(x, type, &n);
	uint64_t sum = 0;

	for (unsigned k = kind; k < kind + n; k++)
		sum += counts[k];
	return sum;
}

/* Counts events of a type before a time; in threads below the one given, those at the time, too. */
static uint64_t event_walk_count_before(const struct event_index *x, const struct event_type *type,
					int64_t time, unsigned thread, uint64_t *counts)
{
	struct event_walk w;
	uint64_t sum = 0;

	for (unsigned t = 0; t < x->trace->nthreads; t++) {
		event_walk_begin(&w, x, t, counts);
		event_walk_to_time(&w, time + (t < thread));
		sum += of_type(x, type, counts);
	}
	return sum;
}

uint64_t event_index_rank(const struct event_index *x, const struct event *e)
{
	uint64_t *counts = array_zero(x->nkinds, sizeof *counts), rank;
	event_id id = event_index_id(x, e);
	struct event_walk w;

	rank = event_walk_count_before(x, e->type, e->time, event_id_thread(id), counts);
	/* of its own thread those at its time that come before it */
	event_walk_begin(&w, x, event_id_thread(id), counts);
	event_walk_to_time(&w, e->time);
	rank -= of_type(x, e->type, counts);
	event_walk_to_unit(&w, event_id_unit(id));
	rank += of_type(x, e->type, counts);
	free(counts);
	return rank;
}

/* Returns the last time before which there are at most rank events. */
static int64_t time_of_rank(const struct event_index *x, const struct event_type *type,
			    uint64_t rank, uint64_t *counts)
{
	return lower_bound(time, 1, event_index_duration(x) + 1,
			   event_walk_count_before(x, type, time, 0, counts) <= rank) -
	       1;
}

/* Finds the event after *skip others of the type in a thread at a time; else *skip gets less. */
static bool find_at(const struct event_index *x, const struct event_type *type, unsigned thread,
		    int64_t time, uint64_t *skip, event_id *id)
{
	struct event_walk w;

	event_walk_begin(&w, x, thread, NULL);
	for (event_walk_to_time(&w, time); !w.ended && w.at.time == time; event_walk_step(&w)) {
		if (x->trace->spec->events[w.at.type] != type || (*skip)-- > 0)
			continue;
		*id = event_id_make(thread, w.at.unit);
		return true;
	}
	return false;
}

bool event_index_select(const struct event_index *x, const struct event_type *type, uint64_t rank,
			event_id *id)
{
	uint64_t *counts = array_zero(x->nkinds, sizeof *counts);
	int64_t time = time_of_rank(x, type, rank, counts);
	uint64_t skip = rank - event_walk_count_before(x, type, time, 0, counts);

	free(counts);
	for (unsigned t = 0; t < x->trace->nthreads; t++)
		if (find_at(x, type, t, time, &skip, id))
			return true;
	return false;
}
