/* Events of an index in an html document: places in tables by type, thread by thread. */
#include "base/array.h"
#include "base/search.h"
#include "viewers/gorge/index/event_index_parts.h"
#include <stdlib.h>

struct stored_place {
	uint32_t type, index;
};

struct event_source {
	const struct trace *trace;
	const struct event_list **lists; /* by event_type.index */
	struct stored_place *places;
	size_t *first; /* where a thread's begin; and the end */
};

/*
 * Returns the type whose next event is the first in the stream, or the number of types at the end.
 */
static unsigned first_of(const struct event_source *s, const size_t *next)
{
	unsigned n = s->trace->spec->nevents, best = n;

	for (unsigned i = 0; i < n; i++)
		if (next[i] < event_list_size(s->lists[i]) &&
		    (best == n || event_list_rank(s->lists[i], next[i]) <
				      event_list_rank(s->lists[best], next[best])))
			best = i;
	return best;
}

static unsigned thread_at(const struct event_source *s, unsigned type, size_t index)
{
	struct event e;

	event_list_get(s->lists[type], index, &e);
	return trace_thread_index(s->trace, e.thread);
}

static void count_threads(struct event_source *s)
{
	for (unsigned i = 0; i < s->trace->spec->nevents; i++)
		for (size_t k = 0; k < event_list_size(s->lists[i]); k++)
			s->first[thread_at(s, i, k) + 1]++;
	for (unsigned t = 0; t < s->trace->nthreads; t++)
		s->first[t + 1] += s->first[t];
}

/* Returns no room, as a document does not grow. */
struct index_room *index_room_new(const struct trace *t, unsigned nkinds)
{
	(void)t, (void)nkinds;
	return NULL;
}

void index_room_release(struct index_room *r)
{
	(void)r;
}

size_t index_room_blocks(const struct index_room *r)
{
	(void)r;
	return 0;
}

void *index_room_take(struct index_room *r, size_t n, size_t size)
{
	(void)r, (void)n, (void)size;
	return NULL;
}

struct event_source *event_source_new(const struct trace *t)
{
	struct event_source *s = array_zero(1, sizeof *s);
	size_t *next = array_zero(t->spec->nevents, sizeof *next),
	       *to = array_zero(t->nthreads + 1, sizeof *to);
	unsigned type;

	*s = (struct event_source){t, array_zero(t->spec->nevents, sizeof *s->lists), NULL,
				   array_zero(t->nthreads + 1, sizeof *s->first)};
	for (unsigned i = 0; i < t->spec->nevents; i++)
		s->lists[i] = trace_events((struct trace *)t, t->spec->events[i]);
	count_threads(s);
	s->places = array_zero(s->first[t->nthreads], sizeof *s->places);
	for (unsigned i = 0; i < t->nthreads; i++)
		to[i] = s->first[i];
	while ((type = first_of(s, next)) < t->spec->nevents) {
		size_t index = next[type]++;
		s->places[to[thread_at(s, type, index)]++] =
		    (struct stored_place){type, (uint32_t)index};
	}
	free(next);
	free(to);
	return s;
}

void event_source_free(struct event_source *s)
{
	free(s->lists);
	free(s->places);
	free(s->first);
	free(s);
}

uint64_t event_source_events(const struct event_source *s, unsigned thread)
{
	return s->first[thread + 1] - s->first[thread];
}

/* Reads event i of the thread. */
static void read_at(const struct event_source *s, unsigned thread, size_t i,
		    struct indexed_event *e)
{
	const struct stored_place *p = &s->places[s->first[thread] + i];
	struct event event;

	event_list_get(s->lists[p->type], p->index, &event);
	*e = (struct indexed_event){event.time, (uint32_t)i, p->type, event.record, event.seq};
}

bool event_source_begin(const struct event_source *s, unsigned thread, struct event_reading *r,
			struct indexed_event *e)
{
	r->next = 0;
	if (event_source_events(s, thread) == 0)
		return false;
	read_at(s, thread, 0, e);
	return true;
}

struct index_stop event_source_stop(const struct event_reading *r, const struct indexed_event *e)
{
	(void)e;
	return (struct index_stop){.next = (uint32_t)r->next};
}

void event_source_resume(const struct event_source *s, unsigned thread,
			 const struct index_stop *stop, struct event_reading *r,
			 struct indexed_event *e)
{
	r->next = stop->next;
	read_at(s, thread, r->next, e);
}

static uint64_t seq_at(const struct event_source *s, unsigned thread, size_t i)
{
	struct indexed_event e;

	read_at(s, thread, i, &e);
	return e.seq;
}

/* Finds an event by its sequence number, which ascends. */
bool event_source_unit(const struct event_source *s, unsigned thread, const struct event *e,
		       uint32_t *unit)
{
	size_t events = event_source_events(s, thread);

	*unit = (uint32_t)lower_bound(i, 1, events, seq_at(s, thread, i) <= e->seq) - 1;
	return true;
}

const unsigned char *event_source_record(const struct event_source *s, unsigned thread,
					 uint32_t unit)
{
	struct indexed_event e;

	read_at(s, thread, unit, &e);
	return e.record;
}

bool event_source_read(const struct event_index *c, unsigned thread, struct event_reading *r,
		       struct indexed_event *e, const struct event_goal *goal, uint64_t *counts)
{
	for (unsigned n = goal->events; n && e->time < goal->time && e->unit < goal->unit; n--) {
		if (counts)
			counts[event_index_kind_of(c, e)]++;
		if (++r->next == event_source_events(c->source, thread))
			return false;
		read_at(c->source, thread, r->next, e);
	}
	return true;
}
