/*
 * Plans changes of semaphores that are counts of slots, such as the connections of a pool: a thread
 * takes a slot, and gives it back itself. Such a semaphore is a lock that several threads hold at
 * once. One that other threads post is a signal, and has no slots.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_SLOT_PLAN_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_SLOT_PLAN_H

#include "analysis/replay/recorded/model.h"

struct slot_change {
	const char *what; /* a pattern of names of semaphores */
	bool exact;       /* it is a name, and no pattern */
	uint32_t slots;   /* so many threads hold it at once, at most */
};

/* A thread takes a slot that is free, or gives one back. */
struct slot_event {
	int64_t time;
	uint32_t semaphore; /* number in the plan */
	bool takes;
};

struct slot_semaphore {
	const struct lock *object; /* the register's */
	uint32_t slots;
};

struct slot_plan {
	VECTOR(struct slot_semaphore) all;
	uint32_t *numbers; /* by object of the register: the semaphore; NO_NUMBER: it is none */
	uint32_t nobjects;
	/* by thread, then time; without those that a thread had to wait for */
	VECTOR(struct slot_event) events;
	size_t *first; /* of each thread, and one more */
};

/*
 * Returns NULL and sets *unknown to what is not in the trace; or to NULL and *refusal to a reason,
 * which the caller frees. Without changes: NULL, and nothing is set.
 */
struct slot_plan *slot_plan_of(const struct model *m, const struct slot_change *changes, unsigned n,
			       const char **unknown, char **refusal);
void slot_plan_free(struct slot_plan *p);

/* Returns whether an object of the register is a semaphore: several threads may have it at once. */
bool slots_are_possible(const struct model *m, uint32_t object);

/* Returns the semaphore that an object of the register is; NO_NUMBER: none. p: NULL: no plan. */
static inline uint32_t slot_number(const struct slot_plan *p, uint32_t object)
{
	return p && object < p->nobjects ? p->numbers[object] : NO_NUMBER;
}

#endif
