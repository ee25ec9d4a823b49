#include "viewers/nibble/collect.h"

#include "viewers/vector.h"

#include <stdlib.h>

/* What is under way: one source, with the threads that it selects. */
struct collection {
	struct evaluation *evaluation;
	const struct source_node *source;
	bool *threads; /* by index */
	struct samples *samples;
};

static bool passes(struct collection *c, const struct binding *b)
{
	const struct trace *t = c->evaluation->trace;

	if (!c->threads[trace_thread(t, b->side[SIDE_ANCHOR].thread) - t->threads])
		return false;
	for (const struct selection *s = c->source->selections; s; s = s->next)
		if (s->kind == SELECTION_WHERE &&
		    !expr_holds(s->condition, b, &c->evaluation->faults))
			return false;
	return true;
}

static bool number_of(const struct value *v, double *number)
{
	switch (v->kind) {
	case VALUE_BOOL:
		*number = v->truth;
		return true;
	case VALUE_INT:
		*number = (double)v->integer;
		return true;
	case VALUE_REAL:
		*number = v->real;
		return true;
	default:
		return false;
	}
}

static bool value_of(struct collection *c, const struct binding *b, double *number)
{
	const struct subject *s = &c->source->subject;
	const struct operand *anchor = &b->side[SIDE_ANCHOR];
	struct value v;

	if (s->metric) {
		if (expr_value(s->metric->value, b, &v) && number_of(&v, number))
			return true;
		c->evaluation->faults++;
		return false;
	}
	*number = (double)b->duration;
	if (s->attribute < 0)
		return true;
	v = record_value(anchor->event, (unsigned)s->attribute, anchor->record);
	return number_of(&v, number);
}

static int64_t key_of(const struct source_node *s, const struct operand *o)
{
	if (s->per == PER_ATTRIBUTE)
		return (int64_t)record_value(o->event, (unsigned)s->per_attribute, o->record)
		    .integer;
	return (int64_t)o->thread;
}

static void add(struct collection *c, const struct binding *b, int64_t at, int64_t end)
{
	struct sample one = {.at = (double)at, .end = (double)end};

	if (!passes(c, b) || (c->samples->has_value && !value_of(c, b, &one.value)))
		return;
	if (c->samples->has_key)
		one.key = key_of(c->source, &b->side[SIDE_ANCHOR]);
	samples_add(c->samples, &one);
}

static void collect_times(struct collection *c, const struct event_list *list)
{
	size_t n = event_list_size(list);

	for (size_t i = 0; i < n; i++)
		samples_add(c->samples, &(struct sample){.at = (double)event_list_time(list, i)});
}

static void collect_events(struct collection *c)
{
	struct trace *t = c->evaluation->trace;
	const struct event_list *list = trace_events(t, c->source->subject.event);
	struct binding b = {0};
	struct event e;

	/*
	 * Nothing is asked of the events but when they were: the list knows without reading them.
	 */
	if (!c->source->selections && !c->evaluation->threads && !c->samples->has_value &&
	    !c->samples->has_key) {
		collect_times(c, list);
		return;
	}
	for (size_t i = 0, n = event_list_size(list); i < n; i++) {
		event_list_look(list, i, &e);
		b.side[SIDE_ANCHOR] = b.side[SIDE_PARTNER] = event_operand(t, &e);
		add(c, &b, e.time, e.time);
	}
}

static void collect_instances(struct collection *c, bool unmatched)
{
	const struct trace *t = c->evaluation->trace;
	const struct matches *m = evaluation_matches(c->evaluation, c->source->subject.interval);
	struct binding b = {0};
	struct instance i;

	for (size_t k = 0; k < m->count; k++) {
		if ((m->partner_of[k] == UNMATCHED) != unmatched)
			continue;
		matches_look(m, k, &i);
		b.side[SIDE_ANCHOR] = event_operand(t, &i.anchor);
		if (!unmatched)
			b.side[SIDE_PARTNER] = event_operand(t, &i.partner);
		b.duration = unmatched ? 0 : i.end - i.start;
		add(c, &b, unmatched ? i.anchor.time : i.start, unmatched ? i.anchor.time : i.end);
	}
	/* Of a backward interval the anchors are in order, and not the starts. */
	samples_sort(c->samples);
}

void collect(struct evaluation *v, const struct source_node *source, bool unmatched,
	     struct samples *s)
{
	struct collection c = {
	    .evaluation = v,
	    .source = source,
	    .threads = evaluation_threads(v, source),
	    .samples = s,
	};

	if (source->subject.event)
		collect_events(&c);
	else
		collect_instances(&c, unmatched);
	free(c.threads);
}
