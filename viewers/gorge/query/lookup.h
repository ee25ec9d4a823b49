/*
 * Events and instances of a model by their indices: of an event, how many of its type stand before it
 * in the stream; of an instance, how many of the anchor's type stand before its anchor.
 */
#ifndef GLIMPSE_GORGE_QUERY_LOOKUP_H
#define GLIMPSE_GORGE_QUERY_LOOKUP_H

#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/view.h"

/* False: there is no such event or instance. */
bool lookup_event(const struct trace_index *m, const struct event_type *type, size_t index, struct event *e);
bool lookup_instance(const struct trace_index *m, const struct interval *interval, size_t index, struct instance *i);
/* One more than the greatest index of an instance. */
uint64_t lookup_instances(const struct trace_index *m, const struct interval *interval);

/*
 * Return the index of the first event of a scene's mark, which has a shift; and that of an instance,
 * by its anchor.
 */
size_t lookup_marked(const struct trace_index *m, const struct event_type *type, uint64_t first,
		     unsigned shift);
size_t lookup_anchor(const struct trace_index *m, uint64_t anchor);
/* Gives the index of an event of the trace. */
size_t lookup_index(const struct trace_index *m, const struct event *e);

/* From an instance to another; the same where there is none in that direction. */
enum step { STEP_NEXT, STEP_PREVIOUS, STEP_LONGEST, STEP_NEXT_UNMATCHED, STEP_NONE };
size_t lookup_step(const struct trace_index *m, const struct interval *interval, size_t index, enum step step);

/* Lengths of some instances, in nanoseconds: the lower 32 bits; and the upper ones, if any has more. */
struct lengths {
	size_t n;
	const uint32_t *low, *high;
};

static inline int64_t length_at(const struct lengths *l, size_t i)
{
	return (int64_t)((l->high ? (uint64_t)l->high[i] << 32 : 0) | l->low[i]);
}

/*
 * Calls take until it has had the lengths of all instances that touch the window and have an end in
 * one of the threads (by index; NULL: all), in no order.
 */
typedef void (*lengths_take)(void *context, const struct lengths *l, unsigned worker);
void lookup_lengths(const struct trace_index *m, const struct interval *interval, const struct window *w,
		    const bool *threads, lengths_take take, void *context);

/* All that an expression of the interval can ask of an instance that has a partner. */
struct binding instance_bind(const struct trace_index *m, const struct instance *i);

#endif
