/* Instances of one spans after the other as a condition or a metric sees them. */
#ifndef GLIMPSE_GORGE_INDEX_BINDING_H
#define GLIMPSE_GORGE_INDEX_BINDING_H

#include "viewers/gorge/index/instances.h"

struct span_binding {
	const struct instances *instances;
	bool records, times;            /* what is asked for: attributes; moments */
	const struct spans *spans;
	struct event_walk walk;
	struct binding binding;         /* of the instance that was bound last */
};

struct span_binding span_binding_new(const struct instances *n, bool records, bool times);

static inline bool span_binding_backwards(const struct span_binding *b)
{
	return b->instances->interval->direction == BACKWARDS;
}

/* Which thread the spans's anchors are in. */
static inline unsigned span_binding_thread(const struct span_binding *b, const struct spans *s)
{
	return span_binding_backwards(b) ? s->to : s->from;
}

/* All that follows is of this spans, in ascending order. */
void span_binding_begin(struct span_binding *b, const struct spans *spans);
void span_binding_bind(struct span_binding *b, size_t i);
event_id span_binding_anchor(const struct span_binding *b, size_t i);
/* Fetches what instance i will ask for: records lie far apart. */
void span_binding_fetch(const struct span_binding *b, size_t i);

#endif
