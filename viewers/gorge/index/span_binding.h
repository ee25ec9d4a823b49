/* Binds instances of one interval, one after the other, as a condition or a metric sees them. */
#ifndef GLIMPSE_GORGE_INDEX_SPAN_BINDING_H
#define GLIMPSE_GORGE_INDEX_SPAN_BINDING_H

#include "viewers/gorge/index/instances.h"

struct span_binding {
	const struct instances *instances;
	bool records, times; /* wanted: attributes; the times of events */
	const struct spans *spans;
	struct event_walk walk;
	struct binding binding; /* of the instance that was bound last */
};

struct span_binding span_binding_new(const struct instances *n, bool records, bool times);

/* Returns the thread that has the anchors of some spans. */
static inline unsigned span_binding_thread(const struct span_binding *b, const struct spans *s)
{
	return b->instances->interval->direction == BACKWARDS ? s->to : s->from;
}

/* Begins with some spans, whose instances are bound in ascending order. */
void span_binding_begin(struct span_binding *b, const struct spans *spans);
void span_binding_bind(struct span_binding *b, size_t i);
/* Fetches the records of instance i, which are far apart. */
void span_binding_fetch(const struct span_binding *b, size_t i);

#endif
