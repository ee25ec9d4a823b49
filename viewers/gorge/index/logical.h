/*
 * Logical time: the number of an event is the least that is greater than those of all events before
 * it in its thread, and of those in other threads that led to it (Lamport's clocks). What leads
 * from thread to thread are the pairs of intervals of kind "cause" and of intervals with a
 * connection; of all intervals, if the specification has none of these.
 */
#ifndef GLIMPSE_GORGE_INDEX_LOGICAL_H
#define GLIMPSE_GORGE_INDEX_LOGICAL_H

#include "base/array.h"
#include "viewers/gorge/index/event_index.h"

/* A column of a logical picture, as if it were so many nanoseconds. */
enum { LOGICAL_STEP = 1000 };

/* One event, by its thread's index. */
struct logical_event {
	event_id id;
	uint64_t seq;
};

/* A pair of events in two threads: the first led to the second. */
struct logical_pair {
	struct logical_event early, late;
	unsigned interval; /* its index */
	bool against;      /* it leads back, by way of others: it was left out */
};

struct logical_thread {
	uint64_t first;           /* seq of its first event */
	VECTOR(uint32_t) numbers; /* by seq from there on */
};

struct logical_order {
	unsigned nthreads;
	struct logical_thread *threads;
	VECTOR(struct logical_pair) pairs; /* by their late events */
	size_t *by_early;                  /* the same by their early events */
	uint32_t last;                     /* the greatest number */
	size_t against;                    /* pairs that were left out */
};

/* Numbers the events of a trace, whose right to match the caller has. */
struct logical_order *logical_order_new(const struct event_index *x, struct trace *t);
/* Numbers the events when the pairs are there; for tests, which make their own. */
void logical_order_number(struct logical_order *o, const struct event_index *x);
void logical_order_free(struct logical_order *o);

static inline int64_t logical_time(const struct logical_order *o, unsigned thread, uint64_t seq)
{
	const struct logical_thread *t = &o->threads[thread];

	return (int64_t)t->numbers.at[seq - t->first] * LOGICAL_STEP;
}

/* Returns the pairs that end, or begin, with an event; *n: how many. */
const struct logical_pair *logical_pairs_to(const struct logical_order *o, event_id late,
					    size_t *n);
const size_t *logical_pairs_from(const struct logical_order *o, event_id early, size_t *n);

#endif
