/*
 * A recorded run as what each thread does, without when: it computes, takes and releases locks,
 * waits for others and lets them go on. Waiting for a lock is no operation: it comes about.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_OPERATIONS_H
#define GLIMPSE_ANALYSIS_REPLAY_OPERATIONS_H

#include "analysis/replay/model.h"
#include "analysis/replay/speeds.h"

enum operation_kind {
	OPERATION_TAKE,         /* what: the lock */
	OPERATION_RELEASE,      /* what: the lock */
	OPERATION_POST,         /* what: the post, for which others wait */
	OPERATION_WAIT,         /* what: the post */
	OPERATION_MEET,         /* what: the meeting, which opens when all have come */
	OPERATION_DELAY,        /* for `time`: a timer, a device, or what is not known */
	OPERATION_END,
};

struct operation {
	int64_t began, recorded; /* when the thread came to it, and when it was done */
	int64_t work;           /* the thread runs so long before it */
	/* From when the thread may go on until it does, once it has a processor; of a delay, all of it. */
	int64_t time;
	uint32_t what;
	uint8_t kind;           /* enum operation_kind */
	bool shared;            /* of a hold: it is a reader's */
};

struct operations {
	uint32_t nthreads;
	VECTOR(struct operation) all;   /* by thread, in their order */
	size_t *first;                  /* of each thread, and one more */
	uint32_t nlocks, nposts;
	uint32_t *members;              /* of each meeting: how many come */
	uint32_t nmeetings;
	int64_t duration;               /* of the recorded run */
	int64_t unexplained;            /* waiting of which nobody knows why it ended */
};

/* speeds: what runs faster or slower; NULL: nothing. Never returns NULL. */
struct operations *operations_of(struct model *m, const struct speeds *speeds);
void operations_free(struct operations *o);

#endif
