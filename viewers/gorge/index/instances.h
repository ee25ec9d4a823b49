/*
 * All instances of one interval, as they are drawn: in spans by their threads. What there is to say
 * of one of them beyond its length is read from the logs.
 */
#ifndef GLIMPSE_GORGE_INDEX_INSTANCES_H
#define GLIMPSE_GORGE_INDEX_INSTANCES_H

#include "base/array.h"
#include "match/join/match.h"
#include "viewers/gorge/index/generation.h"
#include "viewers/gorge/index/spans.h"
#include <stdatomic.h>

/* Those within a thread: one spans, or one for each row of a stack. */
struct thread_spans {
	VECTOR(struct spans) rows;
	uint64_t stack;                 /* those of one number were stacked together; 0: they are not stacked */
	unsigned members, limit;        /* so many intervals were, in at most so many rows, */
	unsigned place;                 /* this one behind so many others; */
	unsigned depth;                 /* so many it took, and */
	uint64_t deep;                  /* so many instances found none of their own */
};

struct instances {
	atomic_uint holders;
	const struct interval *interval;
	struct generation *generation;                /* whose interval it is, and */
	const struct event_index *event_index;
	uint64_t anchors, matched, faults;
	unsigned nthreads;
	struct thread_spans *within;          /* by thread */
	VECTOR(struct spans) across;    /* between two threads; or fans, one for each thread */
	uint32_t *unmatched;                /* units of the anchors without a partner, thread by thread: */
	size_t *first_unmatched;            /* where a thread's begin; and the end */
};

/* More threads have more pairs than a picture has room for: what starts in one is then a fan, if it is told by that. Tests make it small. */
extern unsigned instances_fan_threads;

/* The matches, of a trace of that age, are not needed any more. */
struct instances *instances_new(struct generation *a, const struct matches *m);
struct instances *instances_hold(struct instances *n);
void instances_free(struct instances *n);
/* Those within a thread. */
void thread_spans_free(struct thread_spans *w);
/* From now on of an age that grew out of their own, in which they are the interval's. */
void instances_renew(struct instances *n, struct generation *a, const struct interval *interval);

/* One of them; of one without a partner, only the anchor and its time. */
struct found_instance {
	event_id anchor, partner;
	bool matched;
	int64_t start, end;
};

/* That of the anchor; false: there is none. */
bool instances_find(const struct instances *n, event_id anchor, struct found_instance *found);

/*
 * Steps, in the order of the events with which instances begin. From an event: to the instance that
 * begins next behind it, or last before it; to the next anchor without a partner; from anywhere to
 * the longest instance. False: there is none.
 */
bool instances_next(const struct instances *n, event_id from, struct found_instance *found);
bool instances_previous(const struct instances *n, event_id from, struct found_instance *found);
bool instances_next_unmatched(const struct instances *n, event_id from, struct found_instance *found);
bool instances_longest(const struct instances *n, event_id from, struct found_instance *found);

/* Calls visit for each spans. */
void instances_each(const struct instances *n, void (*visit)(void *context, const struct spans *s),
		    void *context);

#endif
