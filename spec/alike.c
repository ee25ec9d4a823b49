#include "spec/alike.h"
#include "spec/range.h"
#include <string.h>

static bool attributes_alike(const struct event_type *a, const struct event_type *b)
{
	for (unsigned i = 0; i < a->nattributes; i++)
		if (a->attributes[i].type != b->attributes[i].type ||
		    strcmp(a->attributes[i].name, b->attributes[i].name) != 0)
			return false;
	return true;
}

bool events_alike(const struct spec *a, const struct spec *b)
{
	if (a->nevents != b->nevents)
		return false;
	for (unsigned i = 0; i < a->nevents; i++) {
		const struct event_type *e = a->events[i], *f = b->events[i];
		if (strcmp(e->name, f->name) != 0 || e->nattributes != f->nattributes ||
		    e->offset_attribute != f->offset_attribute || !attributes_alike(e, f))
			return false;
	}
	return true;
}

static bool ends_alike(const struct interval_end *a, const struct interval_end *b)
{
	if (!a->interval != !b->interval)
		return false;
	if (!a->interval)
		return a->event->index == b->event->index;
	return a->moment == b->moment && intervals_alike(a->interval, b->interval);
}

bool intervals_alike(const struct interval *a, const struct interval *b)
{
	return a->direction == b->direction && a->once == b->once && a->nested == b->nested &&
	       ends_alike(&a->anchor, &b->anchor) && ends_alike(&a->partner, &b->partner) &&
	       expr_same(a->condition, b->condition);
}
