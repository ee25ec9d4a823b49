/* Instances of one sheaf after the other as a condition or a metric sees them. */
#ifndef GLIMPSE_GORGE_INDEX_BINDING_H
#define GLIMPSE_GORGE_INDEX_BINDING_H

#include "viewers/gorge/index/instances.h"

struct bound {
	const struct instances *instances;
	bool records, times;            /* what is asked for: attributes; moments */
	const struct sheaf *sheaf;
	struct census_walk walk;
	struct binding binding;         /* of the instance that was bound last */
};

struct bound bound_new(const struct instances *n, bool records, bool times);

static inline bool bound_backwards(const struct bound *b)
{
	return b->instances->interval->direction == BACKWARDS;
}

/* Which thread the sheaf's anchors are in. */
static inline unsigned bound_thread(const struct bound *b, const struct sheaf *s)
{
	return bound_backwards(b) ? s->to : s->from;
}

/* All that follows is of this sheaf, in ascending order. */
void bound_begin(struct bound *b, const struct sheaf *sheaf);
void bound_bind(struct bound *b, size_t i);
event_id bound_anchor(const struct bound *b, size_t i);
/* Fetches what instance i will ask for: records lie far apart. */
void bound_fetch(const struct bound *b, size_t i);

#endif
