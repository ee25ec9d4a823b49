#include "viewers/gorge/index/span_binding.h"

static bool is_backwards(const struct span_binding *b)
{
	return b->instances->interval->direction == BACKWARDS;
}

struct span_binding span_binding_new(const struct instances *n, bool records, bool times)
{
	return (struct span_binding){.instances = n, .records = records, .times = times};
}

/*
 * Sets the threads of both ends, which are those of the spans; in a fan, each instance has its own
 * later one.
 */
void span_binding_begin(struct span_binding *b, const struct spans *spans)
{
	const struct instances *n = b->instances;
	const struct trace *t = event_index_trace(n->event_index);

	b->spans = spans;
	for (enum side side = SIDE_ANCHOR; side <= SIDE_PARTNER; side++) {
		bool early = (side == SIDE_PARTNER) == is_backwards(b);
		const struct trace_thread *thread = &t->threads[early ? spans->from : spans->to];
		const struct interval_end *end =
		    side == SIDE_ANCHOR ? &n->interval->anchor : &n->interval->partner;
		b->binding.side[side] = event_operand(
		    t, &(struct event){.type = end_event(end), .thread = thread->number});
	}
	event_walk_begin(&b->walk, n->event_index, spans->from, NULL);
}

static void bind_end(struct span_binding *b, enum side side, unsigned thread, uint32_t unit,
		     int64_t time)
{
	struct operand *o = &b->binding.side[side];

	if (b->records)
		o->record =
		    event_index_record(b->instances->event_index, event_id_make(thread, unit));
	o->time = time;
}

static void bind_thread(struct span_binding *b, enum side side, unsigned index)
{
	const struct trace *t = event_index_trace(b->instances->event_index);
	const struct trace_thread *thread = &t->threads[index];

	b->binding.side[side].thread = thread->number;
	b->binding.side[side].owner = thread->owner;
	b->binding.side[side].process = thread->directory;
}

void span_binding_bind(struct span_binding *b, size_t i)
{
	enum side early = is_backwards(b) ? SIDE_PARTNER : SIDE_ANCHOR,
		  late = early == SIDE_ANCHOR ? SIDE_PARTNER : SIDE_ANCHOR;
	const struct spans *spans = b->spans;
	int64_t start = 0;

	b->binding.duration = spans_length(spans, i);
	if (b->times) {
		event_walk_to_unit(&b->walk, spans->start[i]);
		start = b->walk.at.time;
	}
	bind_end(b, early, spans->from, spans->start[i], start);
	bind_end(b, late, spans_to(spans, i), spans->end[i], start + b->binding.duration);
	if (spans->tos)
		bind_thread(b, late, spans->tos[i]);
}

void span_binding_fetch(const struct span_binding *b, size_t i)
{
	const struct event_index *x = b->instances->event_index;
	const struct spans *spans = b->spans;

	if (i >= spans->n)
		return;
	__builtin_prefetch(event_index_record(x, spans_earlier(spans, i)));
	__builtin_prefetch(event_index_record(x, spans_later(spans, i)));
}
