#include "viewers/gorge/query/lookup.h"
#include "viewers/gorge/index/trace_index.h"

bool lookup_event(struct model *m, const struct event_type *type, size_t index, struct event *e)
{
	const struct event_list *list;

	if (m->pyramid)
		return pyramid_event(m->pyramid, type, index, e);
	list = trace_events(m->trace, type);
	if (index >= event_list_size(list))
		return false;
	event_list_get(list, index, e);
	return true;
}

bool lookup_instance(struct model *m, const struct interval *interval, size_t index,
		     struct instance *i)
{
	const struct matches *found;

	if (m->pyramid)
		return pyramid_instance(m->pyramid, interval, index, i);
	found = model_matches(m, interval);
	if (index >= found->count)
		return false;
	matches_get(found, index, i);
	return true;
}

uint64_t lookup_instances(struct model *m, const struct interval *interval)
{
	if (m->pyramid)
		return m->trace->events_of_type[end_event(&interval->anchor)->index];
	return model_matches(m, interval)->count;
}

size_t lookup_marked(struct model *m, const struct event_type *type, const struct mark *mark)
{
	return m->pyramid ? pyramid_marked(m->pyramid, type, mark) : mark->first;
}

size_t lookup_anchor(struct model *m, uint64_t anchor)
{
	return m->pyramid ? pyramid_anchor(m->pyramid, anchor) : anchor;
}

uint64_t lookup_told(struct model *m, const struct matches *found, size_t anchor)
{
	struct event e;

	if (!m->pyramid)
		return anchor;
	moments_event(&found->anchors, anchor, &e);
	return pyramid_told(m->pyramid, &e);
}

size_t lookup_index(struct model *m, const struct matches *found, size_t anchor)
{
	return lookup_anchor(m, lookup_told(m, found, anchor));
}

/* ---- steps ---- */

static size_t longest(const struct matches *found, size_t otherwise)
{
	size_t best = UNMATCHED;

	for (size_t i = 0; i < found->count; i++)
		if (found->partner_of[i] != UNMATCHED &&
		    (best == UNMATCHED ||
		     matches_duration(found, i) > matches_duration(found, best)))
			best = i;
	return best == UNMATCHED ? otherwise : best;
}

static size_t previous(const struct matches *found, size_t index)
{
	for (size_t i = index; i-- > 0;)
		if (found->partner_of[i] != UNMATCHED)
			return i;
	return index;
}

static size_t next(const struct matches *found, size_t index, bool unmatched)
{
	for (size_t i = index + 1; i < found->count; i++)
		if ((found->partner_of[i] == UNMATCHED) == unmatched)
			return i;
	return index;
}

size_t lookup_step(struct model *m, const struct interval *interval, size_t index, enum step step)
{
	if (step == STEP_NONE)
		return index;
	if (m->pyramid)
		return pyramid_step(m->pyramid, interval, index, step);
	switch (step) {
	case STEP_LONGEST:
		return longest(model_matches(m, interval), index);
	case STEP_PREVIOUS:
		return previous(model_matches(m, interval), index);
	default:
		return next(model_matches(m, interval), index, step == STEP_NEXT_UNMATCHED);
	}
}

/* ---- all of them ---- */

static bool is_shown(const struct trace *t, const bool *threads, const struct instance *i)
{
	return !threads || threads[thread_index(t, i->anchor.thread)] ||
	       threads[thread_index(t, i->partner.thread)];
}

static void measure_matches(struct model *m, const struct matches *found, const struct window *w,
			    const bool *threads, lengths_take take, void *context)
{
	struct instance i;

	for (size_t a = 0; a < found->count; a++) {
		uint64_t length;
		if (found->partner_of[a] == UNMATCHED)
			continue;
		matches_look(found, a, &i);
		length = (uint64_t)(i.end - i.start);
		if (i.end >= w->from && i.start <= w->to && is_shown(m->trace, threads, &i))
			take(context, &(struct lengths){1, &(uint32_t){(uint32_t)length},
							&(uint32_t){(uint32_t)(length >> 32)}}, 0);
	}
}

void lookup_lengths(struct model *m, const struct interval *interval, const struct window *w,
		    const bool *threads, lengths_take take, void *context)
{
	if (m->pyramid)
		pyramid_lengths(m->pyramid, interval, w, threads, take, context);
	else
		measure_matches(m, model_matches(m, interval), w, threads, take, context);
}

struct binding instance_bind(const struct model *m, const struct instance *i)
{
	return (struct binding){
	    .side[SIDE_ANCHOR] = event_operand(m->trace, &i->anchor),
	    .side[SIDE_PARTNER] = event_operand(m->trace, &i->partner),
	    .duration = i->end - i->start,
	};
}
