/* Places in the stream of all events of a type, without a list of them. */
#include "base/array.h"
#include "viewers/gorge/index/event_index_parts.h"
#include <stdlib.h>

/* In [low, high). */
static size_t by_halves(const uint32_t *units, size_t low, size_t high, uint32_t unit)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (units[middle] < unit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* By doubling steps, then by halves. */
size_t units_seek(const uint32_t *units, size_t i, size_t end, uint32_t unit)
{
	size_t step = 1;

	while (i + step < end && units[i + step] < unit) {
		i += step;
		step *= 2;
	}
	return by_halves(units, i, i + step < end ? i + step : end, unit);
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
	return by_halves(units, high - i > step ? high - step : i, high, unit);
}

event_id event_index_id(const struct event_index *c, const struct event *e)
{
	unsigned thread = thread_index(c->trace, e->thread);
	struct event_walk w;
	uint32_t unit;

	if (event_source_unit(c->source, thread, e, &unit))
		return event_id_make(thread, unit);
	event_walk_begin(&w, c, thread, NULL);
	for (event_walk_to_time(&w, e->time); !w.ended && w.at.record != e->record;)
		event_walk_step(&w);
	return event_id_make(thread, w.at.unit);
}

static uint64_t of_type(const struct event_index *c, const struct event_type *type,
			const uint64_t *counts)
{
	unsigned n, kind = event_index_kind(c, type, &n);
	uint64_t sum = 0;

	for (unsigned k = kind; k < kind + n; k++)
		sum += counts[k];
	return sum;
}

/* Those before the time; in threads below the one given, those at the time, too. */
static uint64_t count_before(const struct event_index *c, const struct event_type *type, int64_t time,
			     unsigned thread, uint64_t *counts)
{
	struct event_walk w;
	uint64_t sum = 0;

	for (unsigned t = 0; t < c->trace->nthreads; t++) {
		event_walk_begin(&w, c, t, counts);
		event_walk_to_time(&w, time + (t < thread));
		sum += of_type(c, type, counts);
	}
	return sum;
}

uint64_t event_index_rank(const struct event_index *c, const struct event *e)
{
	uint64_t *counts = array_zero(c->nkinds, sizeof *counts), rank;
	event_id id = event_index_id(c, e);
	struct event_walk w;

	rank = count_before(c, e->type, e->time, event_id_thread(id), counts);
	/* of its own thread those at its time that stand before it */
	event_walk_begin(&w, c, event_id_thread(id), counts);
	event_walk_to_time(&w, e->time);
	rank -= of_type(c, e->type, counts);
	event_walk_to_unit(&w, event_id_unit(id));
	rank += of_type(c, e->type, counts);
	free(counts);
	return rank;
}

/* The last time before which at most so many stand. */
static int64_t time_of_rank(const struct event_index *c, const struct event_type *type, uint64_t rank,
			    uint64_t *counts)
{
	int64_t low = 0, high = c->trace->duration;

	while (low < high) {
		int64_t middle = low + (high - low + 1) / 2;
		if (count_before(c, type, middle, 0, counts) <= rank)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* The skip-th event of the type in the thread at that time; false: there are fewer, and skip is
 * less. */
static bool find_at(const struct event_index *c, const struct event_type *type, unsigned thread,
		    int64_t time, uint64_t *skip, event_id *id)
{
	struct event_walk w;

	event_walk_begin(&w, c, thread, NULL);
	for (event_walk_to_time(&w, time); !w.ended && w.at.time == time; event_walk_step(&w)) {
		if (c->trace->spec->events[w.at.type] != type || (*skip)-- > 0)
			continue;
		*id = event_id_make(thread, w.at.unit);
		return true;
	}
	return false;
}

bool event_index_select(const struct event_index *c, const struct event_type *type, uint64_t rank,
		   event_id *id)
{
	uint64_t *counts = array_zero(c->nkinds, sizeof *counts);
	int64_t time = time_of_rank(c, type, rank, counts);
	uint64_t skip = rank - count_before(c, type, time, 0, counts);

	free(counts);
	for (unsigned t = 0; t < c->trace->nthreads; t++)
		if (find_at(c, type, t, time, &skip, id))
			return true;
	return false;
}
