#include "viewers/gorge/query/lookup.h"

size_t lookup_index(const struct trace_index *t, const struct event *e)
{
	return event_index_rank(t->events, e);
}

size_t lookup_id(const struct trace_index *t, event_id id)
{
	struct event e;

	return event_index_event(t->events, id, &e) ? lookup_index(t, &e) : 0;
}

size_t lookup_marked(const struct trace_index *t, const struct event_type *type, event_id first,
		     unsigned shift)
{
	unsigned n, kind = event_index_kind(t->events, type, &n);
	event_id found;

	if (!event_index_find(t->events, first, kind + (n > 1 ? shift : 0), &found))
		return 0;
	return lookup_id(t, found);
}

static bool find_event(const struct trace_index *t, const struct event_type *type, uint64_t index,
		       event_id *id)
{
	return index < t->trace->events_of_type[type->index] &&
	       event_index_select(t->events, type, index, id);
}

bool lookup_event(const struct trace_index *t, const struct event_type *type, size_t index,
		  struct event *e)
{
	event_id id;

	return find_event(t, type, index, &id) && event_index_event(t->events, id, e);
}

static bool find_instance(const struct trace_index *t, const struct interval *interval,
			  uint64_t index, struct found_instance *found)
{
	event_id anchor;
	bool good;

	if (!find_event(t, end_event(&interval->anchor), index, &anchor))
		return false;
	good = instances_find(trace_index_use(t, interval), anchor, found);
	trace_index_used();
	return good;
}

bool lookup_instance(const struct trace_index *t, const struct interval *interval, size_t index,
		     struct instance *i)
{
	struct found_instance found;

	*i = (struct instance){0};
	if (!find_instance(t, interval, index, &found))
		return false;
	event_index_event(t->events, found.anchor, &i->anchor);
	if (found.matched)
		event_index_event(t->events, found.partner, &i->partner);
	i->start = found.start;
	i->end = found.end;
	return true;
}

uint64_t lookup_instances(const struct trace_index *t, const struct interval *interval)
{
	return t->trace->events_of_type[end_event(&interval->anchor)->index];
}

size_t lookup_step(const struct trace_index *t, const struct interval *interval, size_t index,
		   enum instance_step step)
{
	static bool (*const steps[])(const struct instances *, event_id,
				     struct found_instance *) = {
	    [STEP_NEXT] = instances_next,
	    [STEP_PREVIOUS] = instances_previous,
	    [STEP_NEXT_UNMATCHED] = instances_next_unmatched,
	    [STEP_LONGEST] = instances_longest,
	};
	bool backwards = interval->direction == BACKWARDS;
	struct found_instance found;
	event_id from;
	bool good;

	if (step == STEP_NONE || !find_instance(t, interval, index, &found))
		return index;
	from = found.matched && backwards ? found.partner : found.anchor;
	good = steps[step](trace_index_use(t, interval), from, &found);
	trace_index_used();
	return good ? lookup_id(t, found.anchor) : index;
}
