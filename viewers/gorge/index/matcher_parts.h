/* What a matcher is made of: who waits for it (matcher.c), what is done in the background, and growth. */
#ifndef GLIMPSE_GORGE_INDEX_MATCHER_PARTS_H
#define GLIMPSE_GORGE_INDEX_MATCHER_PARTS_H

#include "viewers/gorge/index/matcher.h"
#include <pthread.h>

struct matcher {
	const struct spec *spec;
	pthread_mutex_t engine;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	struct generation *generation;
	struct search *searches; /* by interval.index */
	uint64_t waits;
	bool finishing; /* all that is wanted is found before anything is stacked */
	bool running, abandoned;
	bool retired; /* another one has what was found, and stacks it */
	bool lent; /* somebody else may have something of the trace's event lists */
};

/* Of one interval. */
struct search {
	struct instances *found, *anew; /* given out, and found since; NULL: not yet */
	uint64_t events;		/* generation_events() when the newer one was found */
	int64_t until, until_anew;	/* how long the trace was when each was found */
	uint64_t wanted;		/* what is greatest comes first; 0: it is not */
	bool again;			/* it is to be looked for though it was found */
	bool shown;			/* stacked with others that are */
};

/* Under the lock, as what follows: what is wanted is done in the background from now on. */
void matcher_run(struct matcher *s);
/* The same, and the caller does it, unless it is being done: as nobody sees a part of it, all is stacked once. */
void matcher_finish(struct matcher *s);
/* What is to be looked for next; NULL: there is nothing now. */
const struct interval *matcher_next(const struct matcher *s);
/* Whether all that is shown and found is stacked together. */
bool matcher_stacked(const struct matcher *s);
/* When nothing is done in the background any more; not under the lock. */
void matcher_destroy(struct matcher *s);

#endif
