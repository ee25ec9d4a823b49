/*
 * All instances of one interval, as they are drawn: in sheaves by their threads. What there is to say
 * of one of them beyond its length is read from the logs.
 */
#ifndef GLIMPSE_GORGE_INDEX_INSTANCES_H
#define GLIMPSE_GORGE_INDEX_INSTANCES_H

#include "base/array.h"
#include "match/join/match.h"
#include "viewers/gorge/index/generation.h"
#include "viewers/gorge/index/spans.h"
#include <stdatomic.h>

/* Those within a thread: one sheaf, or one for each row of a stack. */
struct within {
	VECTOR(struct sheaf) rows;
	uint64_t stack;                 /* those of one number were stacked together; 0: they are not stacked */
	unsigned members, limit;        /* so many intervals were, in at most so many rows, */
	unsigned place;                 /* this one behind so many others; */
	unsigned depth;                 /* so many it took, and */
	uint64_t deep;                  /* so many instances found none of their own */
};

struct instances {
	atomic_uint holders;
	const struct interval *interval;
	struct age *age;                /* whose interval it is, and */
	const struct census *census;
	uint64_t anchors, matched, faults;
	unsigned nthreads;
	struct within *within;          /* by thread */
	VECTOR(struct sheaf) across;    /* between two threads; or fans, one for each thread */
	uint32_t *alone;                /* units of the anchors without a partner, thread by thread: */
	size_t *first_alone;            /* where a thread's begin; and the end */
};

/* More threads have more pairs than a picture has room for: what starts in one is then a fan, if it is told by that. Tests make it small. */
extern unsigned instances_many;

/* The matches, of a trace of that age, are not needed any more. */
struct instances *instances_new(struct age *a, const struct matches *m);
struct instances *instances_hold(struct instances *n);
void instances_free(struct instances *n);
/* Those within a thread. */
void within_free(struct within *w);
/* From now on of an age that grew out of their own, in which they are the interval's. */
void instances_renew(struct instances *n, struct age *a, const struct interval *interval);

/* One of them; of one without a partner, only the anchor and its time. */
struct found {
	event_id anchor, partner;
	bool matched;
	int64_t start, end;
};

/* That of the anchor; false: there is none. */
bool instances_find(const struct instances *n, event_id anchor, struct found *found);

/*
 * Steps, in the order of the events with which instances begin. From an event: to the instance that
 * begins next behind it, or last before it; to the next anchor without a partner; from anywhere to
 * the longest instance. False: there is none.
 */
bool instances_next(const struct instances *n, event_id from, struct found *found);
bool instances_previous(const struct instances *n, event_id from, struct found *found);
bool instances_next_alone(const struct instances *n, event_id from, struct found *found);
bool instances_longest(const struct instances *n, event_id from, struct found *found);

/* Calls visit for each sheaf. */
void instances_each(const struct instances *n, void (*visit)(void *context, const struct sheaf *s),
		    void *context);

#endif
