/*
 * Keeps all instances of one interval as they are drawn: spans by their threads. Everything else
 * about an instance is read from the logs.
 */
#ifndef GLIMPSE_GORGE_INDEX_INSTANCES_H
#define GLIMPSE_GORGE_INDEX_INSTANCES_H

#include "base/array.h"
#include "match/stats/crossing.h"
#include "viewers/gorge/index/generation.h"
#include "viewers/gorge/index/spans.h"
#include <stdatomic.h>

/* The spans within one thread, and how they are stacked with those of other intervals. */
struct thread_spans {
	VECTOR(struct spans) rows; /* one for each row of the stack; one, if not stacked */
	uint64_t stack;            /* equal for what was stacked together; 0: not stacked */
	unsigned members;          /* intervals of the stack that have spans here */
	unsigned limit;            /* rows that a stack may have */
	unsigned place;            /* of this interval among those of the stack */
	unsigned depth;            /* rows of the stack */
	uint64_t deep;             /* spans of the stack for which there was no free row */
};

struct instances {
	atomic_uint holders;
	const struct interval *interval;
	struct generation *generation; /* to which the interval belongs, and its */
	const struct event_index *event_index;
	uint64_t anchors, matched, faults;
	struct crossing crossing;
	unsigned nthreads;
	struct thread_spans *within; /* by thread */
	VECTOR(struct spans) across; /* between two threads; or fans, one for each thread */
	uint32_t *unmatched;         /* units of anchors without a partner, thread by thread; */
	size_t *first_unmatched;     /* where those of each thread begin, and the end */
};

/*
 * With more threads than this, there are more pairs of threads than a picture has room for: then
 * the spans that begin in one thread are a fan, if their anchors are the earlier events. Tests make
 * it small.
 */
extern unsigned instances_fan_threads;

/* Matches an interval of a generation's trace. */
struct instances *instances_new(struct generation *g, const struct interval *interval);
struct instances *instances_hold(struct instances *n);
void instances_free(struct instances *n);
void thread_spans_free(struct thread_spans *s);
/* Goes on to a generation that grew out of the present one, in which they are the interval's. */
void instances_renew(struct instances *n, struct generation *g, const struct interval *interval);
/* Calls visit for all spans. */
void instances_each(const struct instances *n, void (*visit)(void *context, const struct spans *s),
		    void *context);

/* Returns the anchor of span i of the instances. */
static inline event_id instances_anchor(const struct instances *n, const struct spans *s, size_t i)
{
	return n->interval->direction == BACKWARDS ? spans_later(s, i) : spans_earlier(s, i);
}

/* ---- single instances (instance_find.c) ---- */

/* An instance; without a partner, both times are the anchor's. */
struct found_instance {
	event_id anchor, partner;
	bool matched;
	int64_t start, end;
};

/* Finds the instance of an anchor. Returns false if there is none. */
bool instances_find(const struct instances *n, event_id anchor, struct found_instance *found);
/*
 * Finds the instance that ends with an event; of several the one that begins last. Returns false if
 * there is none.
 */
bool instances_find_later(const struct instances *n, event_id later, struct found_instance *found);

/*
 * Each finds another instance, in the order of the events with which instances begin. It is the
 * next one after an event, the last one before it, the next anchor without a partner, or the
 * longest instance, from anywhere. Returns false if there is none.
 */
bool instances_next(const struct instances *n, event_id from, struct found_instance *found);
bool instances_previous(const struct instances *n, event_id from, struct found_instance *found);
bool instances_next_unmatched(const struct instances *n, event_id from,
			      struct found_instance *found);
bool instances_longest(const struct instances *n, event_id from, struct found_instance *found);

#endif
