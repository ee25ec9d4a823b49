#include "spec/names.h"
#include "base/nearest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tells whether a name is SPECIFICATION.NAME for what was declared so; not if home is NULL. */
static bool is_qualified(const char *name, const char *home, const char *declared)
{
	size_t n = home ? strlen(home) : 0;

	return home && strncmp(name, home, n) == 0 && name[n] == '.' &&
	       strcmp(name + n + 1, declared) == 0;
}

const struct event_type *spec_event(const struct spec *s, const char *name)
{
	for (unsigned i = 0; i < s->nevents; i++) {
		const struct event_type *e = s->events[i];

		if (strcmp(e->name, name) == 0 || is_qualified(name, e->home, e->declared))
			return e;
	}
	return NULL;
}

const struct interval *spec_interval(const struct spec *s, const char *name)
{
	for (unsigned i = 0; i < s->nintervals; i++) {
		const struct interval *v = s->intervals[i];

		if (strcmp(v->name, name) == 0 || is_qualified(name, v->home, v->declared))
			return v;
	}
	return NULL;
}

int event_attribute(const struct event_type *e, const char *name)
{
	for (unsigned i = 0; i < e->nattributes; i++)
		if (strcmp(e->attributes[i].name, name) == 0)
			return (int)i;
	return -1;
}

bool event_attribute_is_internal(const struct event_type *e, unsigned attribute)
{
	return e->attributes[attribute].internal || (int)attribute == e->stack_attribute ||
	       (int)attribute == e->caller_attribute || (int)attribute == e->context_attribute;
}

enum side interval_side(const struct interval *i, enum moment moment)
{
	bool anchor = (moment == MOMENT_START) == (i->direction == FORWARDS);
	return anchor ? SIDE_ANCHOR : SIDE_PARTNER;
}

bool interval_waits_for_thread(const struct interval *i)
{
	return i->kind == KIND_WAIT && !i->until;
}

const struct event_type *end_event(const struct interval_end *end)
{
	while (!end->event && end->interval) {
		const struct interval *i = end->interval;
		end = interval_side(i, end->moment) == SIDE_ANCHOR ? &i->anchor : &i->partner;
	}
	return end->event;
}

bool event_begins_wait(const struct spec *s, const struct event_type *e)
{
	for (unsigned i = 0; i < s->nintervals; i++) {
		const struct interval *x = s->intervals[i];
		const struct interval_end *start =
		    x->direction == FORWARDS ? &x->anchor : &x->partner;

		if ((x->kind == KIND_WAIT || x->kind == KIND_IO) && start->event == e)
			return true;
	}
	return false;
}

/* ---- Names that do not exist ----------------------------------------------------------------- */

/* Returns the nearest of n names, which `get` returns one by one. */
static const char *nearest_of(const char *name, unsigned n,
			      const char *(*get)(const void *, unsigned), const void *from)
{
	const char **names = calloc(n ? n : 1, sizeof *names);
	if (!names)
		return NULL;
	for (unsigned i = 0; i < n; i++)
		names[i] = get(from, i);
	const char *near = nearest_name(name, names, n);
	free(names);
	return near;
}

static const char *lookup_event_name(const void *s, unsigned i)
{
	return ((const struct spec *)s)->events[i]->name;
}

static const char *lookup_interval_name(const void *s, unsigned i)
{
	return ((const struct spec *)s)->intervals[i]->name;
}

static const char *attribute_name(const void *e, unsigned i)
{
	return ((const struct event_type *)e)->attributes[i].name;
}

static const char *metric_name(const void *i, unsigned k)
{
	return ((const struct interval *)i)->metrics[k].name;
}

const char *nearest_event(const struct spec *s, const char *name)
{
	return nearest_of(name, s->nevents, lookup_event_name, s);
}

const char *nearest_interval(const struct spec *s, const char *name)
{
	return nearest_of(name, s->nintervals, lookup_interval_name, s);
}

const char *nearest_attribute(const struct event_type *e, const char *name)
{
	return nearest_of(name, e->nattributes, attribute_name, e);
}

const char *nearest_metric(const struct interval *i, const char *name)
{
	return nearest_of(name, i->nmetrics, metric_name, i);
}

bool is_intrinsic(const char *name)
{
	return strcmp(name, "time") == 0 || strcmp(name, "thread") == 0 ||
	       strcmp(name, "owner") == 0;
}
