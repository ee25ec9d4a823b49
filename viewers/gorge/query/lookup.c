#include "viewers/gorge/query/lookup.h"
#include "base/task.h"
#include "base/parallel.h"
#include "viewers/gorge/index/trace_index.h"
#include "base/array.h"
#include <stdlib.h>

size_t lookup_marked(const struct trace_index *m, const struct event_type *type, uint64_t first,
		     unsigned shift)
{
	const struct event_index *c = m->events;
	unsigned n, kind = event_index_kind(c, type, &n);
	event_id found;

	if (!event_index_find(c, first, kind + (n > 1 ? shift : 0), &found))
		return 0;
	return lookup_anchor(m, found);
}

size_t lookup_anchor(const struct trace_index *m, uint64_t anchor)
{
	const struct event_index *c = m->events;
	struct event e;

	return event_index_event(c, anchor, &e) ? event_index_rank(c, &e) : 0;
}

size_t lookup_index(const struct trace_index *m, const struct event *e)
{
	return event_index_rank(m->events, e);
}

static bool event_at(const struct event_index *c, const struct event_type *type, uint64_t index,
		     event_id *id)
{
	return index < event_index_trace(c)->events_of_type[type->index] &&
	       event_index_select(c, type, index, id);
}

bool lookup_event(const struct trace_index *m, const struct event_type *type, size_t index, struct event *e)
{
	const struct event_index *c = m->events;
	event_id id;

	return event_at(c, type, index, &id) && event_index_event(c, id, e);
}

/* The instance of the anchor with that index. */
static bool find_instance(const struct trace_index *p, const struct interval *interval, uint64_t index,
			  struct found_instance *found)
{
	event_id anchor;
	bool good;

	if (!event_at(p->events, end_event(&interval->anchor), index, &anchor))
		return false;
	good = instances_find(trace_index_use(p, interval), anchor, found);
	trace_index_used();
	return good;
}

bool lookup_instance(const struct trace_index *m, const struct interval *interval, size_t index,
		     struct instance *i)
{
	const struct event_index *c = m->events;
	struct found_instance found;

	*i = (struct instance){0};
	if (!find_instance(m, interval, index, &found))
		return false;
	event_index_event(c, found.anchor, &i->anchor);
	if (found.matched)
		event_index_event(c, found.partner, &i->partner);
	i->start = found.start;
	i->end = found.end;
	return true;
}

uint64_t lookup_instances(const struct trace_index *m, const struct interval *interval)
{
	return m->trace->events_of_type[end_event(&interval->anchor)->index];
}

size_t lookup_step(const struct trace_index *m, const struct interval *interval, size_t index,
		   enum step step)
{
	static bool (*const steps[])(const struct instances *, event_id, struct found_instance *) = {
	    [STEP_NEXT] = instances_next,
	    [STEP_PREVIOUS] = instances_previous,
	    [STEP_NEXT_UNMATCHED] = instances_next_unmatched,
	    [STEP_LONGEST] = instances_longest,
	};
	bool backwards = interval->direction == BACKWARDS;
	struct found_instance found;
	event_id from;
	bool good;

	if (step == STEP_NONE || !find_instance(m, interval, index, &found))
		return index;
	from = found.matched && backwards ? found.partner : found.anchor;
	good = steps[step](trace_index_use(m, interval), from, &found);
	trace_index_used();
	return good ? lookup_anchor(m, found.anchor) : index;
}

struct measuring {
	const struct event_index *event_index;
	const struct window *window;
	const bool *threads;
	VECTOR(struct lengths) pieces;
	lengths_take take;
	void *context;
};

/* So many lengths at most are a piece of work. */
enum { PIECE = 1 << 16 };

static void measure_some(struct measuring *m, const struct spans *s, size_t i, size_t n)
{
	for (size_t end = i + n; i < end; i += PIECE)
		*vector_add(&m->pieces) = (struct lengths){
		    end - i < PIECE ? end - i : PIECE, s->length + i, s->length_high ? s->length_high + i : NULL};
}

static void take_piece(void *context, size_t i, unsigned worker)
{
	struct measuring *m = context;
	const struct lengths *piece = &m->pieces.at[i];

	if (task_step(piece->n))
		m->take(m->context, piece, worker);
}

static void take_pieces(struct measuring *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->pieces.n; i++)
		n += m->pieces.at[i].n;
	task_plan(n);
	parallel_for(m->pieces.n, take_piece, m);
	free(m->pieces.at);
}

static bool touches(const struct measuring *m, const struct spans *s, size_t i)
{
	return !m->threads || m->threads[s->from] || m->threads[spans_to(s, i)];
}

static void measure_reaching(void *context, const struct spans *s, size_t i, int64_t start)
{
	(void)start;
	if (touches(context, s, i))
		measure_some(context, s, i, 1);
}

/* Of a fan as many as touch the threads one behind the other. */
static void measure_fan(struct measuring *m, const struct spans *s, size_t i, size_t end)
{
	for (size_t from; i < end; i++) {
		for (from = i; i < end && touches(m, s, i); i++)
			;
		measure_some(m, s, from, i - from);
	}
}

static void measure(void *context, const struct spans *s)
{
	struct measuring *m = context;
	struct spans_moment begin;
	size_t i, end;

	if (!s->tos && m->threads && !m->threads[s->from] && !m->threads[s->to])
		return;
	begin = (struct spans_moment){m->window->from, event_index_seek(m->event_index, s->to, m->window->from)};
	i = spans_find(s, event_index_seek(m->event_index, s->from, m->window->from));
	end = spans_seek(s, i, event_index_seek(m->event_index, s->from, m->window->to + 1));
	spans_reaching(s, m->event_index, i, begin, measure_reaching, m);
	if (end > i && s->tos)
		measure_fan(m, s, i, end);
	else if (end > i)
		measure_some(m, s, i, end - i);
}

void lookup_lengths(const struct trace_index *m, const struct interval *interval, const struct window *w,
		    const bool *threads, lengths_take take, void *context)
{
	struct measuring measuring = {.event_index = m->events, .window = w,
				      .threads = threads, .take = take, .context = context};

	instances_each(trace_index_use(m, interval), measure, &measuring);
	take_pieces(&measuring);
	trace_index_used();
}

struct binding instance_bind(const struct trace_index *m, const struct instance *i)
{
	return (struct binding){
	    .side[SIDE_ANCHOR] = event_operand(m->trace, &i->anchor),
	    .side[SIDE_PARTNER] = event_operand(m->trace, &i->partner),
	    .duration = i->end - i->start,
	};
}
