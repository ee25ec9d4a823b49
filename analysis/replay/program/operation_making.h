/* Makes the operations of one thread after the other: what the parts of operations.c share. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_OPERATION_MAKING_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_OPERATION_MAKING_H

#include "analysis/replay/program/operations.h"
#include "analysis/replay/program/pieces.h"
#include "analysis/replay/program/share.h"
#include "analysis/replay/reasons/wait_reasons.h"
#include "analysis/replay/recorded/event_counter.h"

/* What is still to come of one thread, each in order. */
struct coming {
	size_t wait; /* of the reasons */
	size_t post, need, hold, mark, request, slot;
	/* holds that were taken, by their release, the last one first */
	VECTOR(size_t) held;
};

/* A wait of a loop: an operation after which a LOOP goes forward, or before which it does. */
struct loop_place {
	size_t jump; /* the LOOP */
	size_t wait; /* the operation that waits */
};

/* Waits of a loop that the thread is in. */
struct loop_waits {
	VECTOR(struct loop_place) places;
	uint32_t rule; /* of the last of them */
};

struct operation_making {
	const struct model *model;
	const struct operation_rules *rules;
	const struct wait_reasons *reasons;
	const struct run_facts *facts; /* the reasons' */
	struct operations *result;
	struct coming coming;
	/* the lock that the thread was given at the end of its last wait */
	struct handed {
		int64_t time;
		uint32_t lock;
		struct wait_parts taken;
	} handed;
	size_t stretch, speed; /* of that thread, up to which its work is done */
	size_t spin;           /* the next of the facts' */
	/* the last operation that tries a lock, and whether it has what the next try takes */
	struct {
		size_t operation;
		bool repeated;
	} tried;
	struct loop_waits loop, timed;
	/* the thread has slept last, in waits of a class; of a series: the last of its sleeps */
	struct {
		bool is_last;
		uint32_t class;
		size_t wait;   /* the operation */
		uint32_t rule; /* the series; NO_RULE: none */
	} slept;
	struct share_search share; /* of the processors, that the thread gets beside others */
	double excess;             /* of calls on locks, not yet taken off its work */
	struct event_counter events;
	marked_operations marked; /* where items begin and end */
	/* an item waits for its push in this wait; NO_STRETCH: in none */
	struct {
		size_t stretch;
		uint32_t push; /* the post */
		int64_t pushed, until;
	} supply;
};

/* Adds an operation after some work; recorded: when the thread came to it and was done. */
struct operation *operation_add(struct operation_making *k, enum operation_kind kind, uint32_t what,
				int64_t recorded, double work);
/* The same about the lock of a hold of the model, as a plan of locks has it. */
struct operation *operation_hold(struct operation_making *k, enum operation_kind kind, size_t hold,
				 int64_t recorded, double work);
/* A thread takes a slot of a semaphore (number in the plan), or gives one back. */
struct operation *operation_slot(struct operation_making *k, enum operation_kind kind,
				 uint32_t semaphore, int64_t recorded, double work);
/* Sets when a thread came to the last operation and was done. */
void operation_timed(struct operation_making *k, int64_t began, int64_t done);
/* Sets what a wait takes once its cause has come. */
void operation_parts(struct operation *o, struct wait_parts p);
uint32_t operation_post(const struct operation_making *k, uint32_t thread, int64_t time);
uint8_t operation_unknown_share(int64_t unknown, int64_t all);

/* Returns how long a part of a thread takes at its speed. cursor: in the speeds. */
struct kept_time operation_length(const struct operation_making *k, uint32_t thread, size_t *cursor,
				  int64_t from, int64_t to);
/* Returns what the thread runs from one item to the next, at its speed. */
double operation_work_until(struct operation_making *k, uint32_t thread, int64_t from, int64_t to);

/* Whether a thread goes on with items that it is handed: it leaves out and repeats nothing then. */
bool operation_is_handed_items(const struct operation_making *k, uint32_t thread);

#endif
