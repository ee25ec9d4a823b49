/*
 * Finds why threads were blocked: the wait or the input and output that explains each blocked
 * state, so that a picture shows one thing of a thread at each time. Sixteen bytes for each blocked
 * state.
 */
#ifndef GLIMPSE_GORGE_INDEX_REASONS_H
#define GLIMPSE_GORGE_INDEX_REASONS_H

#include "viewers/gorge/index/instances.h"

/* The blocked states of a thread that one interval explains. */
struct reason {
	struct spans spans; /* from the state's first event to its last */
	uint32_t *anchors;  /* by span: the unit of the wait's anchor, in the thread */
};

struct reasons {
	atomic_uint holders;
	struct instances *blocked, **waits;
	unsigned nwaits, nthreads;
	/* by thread, then by wait; the last: no wait explains these */
	struct reason *of;
};

/*
 * Explains blocked states by waits. The caller holds the spans of both. A wait explains a state if
 * it lasts for at least half of it. Of several waits, the one that began last counts; if several
 * began with one event, the one that ended first counts.
 */
struct reasons *reasons_new(struct instances *blocked, struct instances *const *waits, unsigned n);
/* Returns whether these are the reasons of those instances. */
bool reasons_are_of(const struct reasons *r, const struct instances *blocked,
		    struct instances *const *waits, unsigned n);
struct reasons *reasons_hold(struct reasons *r);
/* The last one who holds them frees them; NULL is allowed. */
void reasons_free(struct reasons *r);

/* Returns what wait i explains in a thread; i = nwaits: what none does. */
static inline const struct reason *reasons_at(const struct reasons *r, unsigned thread, unsigned i)
{
	return &r->of[(size_t)thread * (r->nwaits + 1) + i];
}

#endif
