/*
 * Finds which release or signal ended each wait: intervals of kind "cause" that end with the end of
 * a wait for the same object. The earlier event is a release, if a hold ends with it, or a signal.
 */
#ifndef GLIMPSE_ANALYSIS_LOCKS_LOCK_CAUSES_H
#define GLIMPSE_ANALYSIS_LOCKS_LOCK_CAUSES_H

#include "analysis/activity/cause_list.h"
#include "analysis/activity/object_register.h"
#include "analysis/locks/lock_sources.h"

#define NO_CAUSE UINT32_MAX

struct lock_cause {
	int64_t ended, released;            /* times of both events, of the trace */
	const unsigned char *end, *release; /* their records */
	uint32_t holder;                    /* index in the trace's threads */
	uint32_t site;  /* where the holder took it or, without a hold, signalled */
	uint32_t found; /* in the matches of the role */
	uint16_t role;
	bool held; /* site is that of a hold */
};

struct lock_causes {
	const struct cause_list *list;
	struct lock_cause *all; /* by waiter, then by the time of the end */
	size_t n;
	size_t *first; /* by waiter, and one more */
	/* indices in all: by holder, then by the time of the release */
	uint32_t *released;
	size_t *first_released; /* by holder, and one more */
};

/* Takes those that end waits out of all that were found. Their sites are not known yet. */
void lock_causes_take(struct lock_causes *c, const struct cause_list *found,
		      const struct lock_sources *s);
/* Finds the sites of those whose hold is not known. The list that they are from must be there. */
void lock_causes_sites(struct lock_causes *c, struct lock_register *r);
void lock_causes_free(struct lock_causes *c);

#endif
