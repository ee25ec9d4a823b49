/*
 * Plans changes of locks: the order of acquisition, who shares them, and into how many they are
 * split.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_LOCK_PLAN_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_LOCK_PLAN_H

#include "analysis/activity/subject.h"
#include "analysis/replay/changes/lock_excess.h"
#include "analysis/replay/changes/slot_plan.h"

/* To whom a released lock goes. */
enum discipline {
	DISCIPLINE_FREE, /* to who takes it first */
	DISCIPLINE_FIFO, /* to who waited longest */
	DISCIPLINE_LIFO, /* to who waited shortest */
	DISCIPLINE_NONE, /* it is as if there were no lock */
	/* Threads keep their processors while they wait, but for the ends of their slices. */
	DISCIPLINE_TICKET, /* to who waited longest, also if it has no processor then */
	/* to who runs and asks first; of several that spin, to who waited longest */
	DISCIPLINE_SPIN,
};

enum { MOST_PARTS = 1000 };

struct lock_change {
	const char *what; /* a pattern of names of locks; NULL: the subject says it */
	bool exact;       /* it is a name, and no pattern */
	const struct subject *subject;
	enum discipline discipline;
	/* a pattern of functions and places whose holders only read; NULL: none */
	const char *readers;
	/* holders read at the places where the trace has readers of the lock */
	bool shared;
	unsigned parts; /* it is so many locks instead; 0: it is one */
	const char *by; /* the attribute whose value says which */
};

/* Returns whether a change is about a lock. */
bool lock_change_is_about(const struct lock_change *c, const struct trace *t,
			  const struct lock *lock);

struct lock_plan {
	uint32_t nlocks;              /* the parts of locks come after the model's */
	enum discipline *disciplines; /* by lock */
	uint32_t *locks;              /* by hold of the model */
	bool *shared;
	/* of the locks that are none any more; NULL: all are there */
	struct lock_excess *excess;
	struct slot_plan *slots; /* of semaphores; NULL: they are as recorded */
};

/* Changes of locks and of semaphores. */
struct lock_changes {
	const struct lock_change *locks;
	unsigned nlocks;
	const struct slot_change *slots;
	unsigned nslots;
};

/*
 * Returns NULL and sets *unknown to what is not in the trace; or to NULL and *refusal to a reason,
 * which the caller frees.
 */
struct lock_plan *lock_plan_of(const struct model *m, const struct lock_changes *changes,
			       const char **unknown, char **refusal);
void lock_plan_free(struct lock_plan *p);

#endif
