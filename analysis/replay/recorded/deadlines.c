#include "analysis/replay/recorded/deadlines.h"
#include "base/search.h"
#include "spec/layout.h"
#include <stdlib.h>

/*
 * A sleep of a whole number of milliseconds, but for what it takes to ask the clock: the program
 * has found the time just before, as Python's sleep() does, so it moves.
 */
enum { WHOLE = 1000000, ASKING = 10000 };

static bool is_found_before(int64_t left)
{
	return left > 0 && (left % WHOLE == 0 || left % WHOLE > WHOLE - ASKING);
}

static int by_thread(const void *a, const void *b)
{
	const struct deadline *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

/*
 * The attribute of a type's events that says how much time is left: of sleeps until a time, or of
 * limits; -1: none.
 */
static int left_attribute(const struct event_type *type, bool limits)
{
	return limits ? type->limit_attribute : type->deadline_attribute;
}

static void type_look(struct trace *t, const struct event_type *type, bool limits, deadlines *all)
{
	const struct event_list *events = trace_events(t, type);
	unsigned attribute = (unsigned)left_attribute(type, limits);
	struct event e;

	for (size_t i = 0; i < t->events_of_type[type->index]; i++) {
		int64_t left;

		event_list_get(events, i, &e);
		left = record_value(type, attribute, e.record).integer;
		if (left && (limits || !is_found_before(left)))
			*vector_add(all) = (struct deadline){
			    e.time, e.time + left, (uint32_t)trace_thread_index(t, e.thread)};
	}
}

void deadlines_announce(struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (left_attribute(t->spec->events[i], false) >= 0 ||
		    left_attribute(t->spec->events[i], true) >= 0)
			trace_announce(t, t->spec->events[i]);
}

static deadlines all_of(struct trace *t, bool limits)
{
	deadlines all = {0};

	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (left_attribute(t->spec->events[i], limits) >= 0 && t->events_of_type[i])
			type_look(t, t->spec->events[i], limits, &all);
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_thread);
	return all;
}

deadlines deadlines_of(struct trace *t)
{
	return all_of(t, false);
}

deadlines limits_of(struct trace *t)
{
	return all_of(t, true);
}

int64_t deadline_find(const deadlines *all, uint32_t thread, int64_t from)
{
	size_t i = lower_bound(k, (size_t)0, all->n,
			       all->at[k].thread < thread ||
				   (all->at[k].thread == thread && all->at[k].from < from));

	return i < all->n && all->at[i].thread == thread && all->at[i].from == from
		   ? all->at[i].until
		   : INT64_MIN;
}
