/*
 * Collects what a replay knows of a recorded run: the activity graph, which locks were held when,
 * which thread woke which, and how long threads were ready. It uses only the kinds of intervals.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_RECORDED_MODEL_H
#define GLIMPSE_ANALYSIS_REPLAY_RECORDED_MODEL_H

#include "analysis/activity/instance_set.h"
#include "analysis/graph/graph.h"
#include "analysis/graph/unknown.h"
#include "analysis/replay/recorded/deadlines.h"
#include "analysis/replay/recorded/readiness.h"
#include "base/array.h"

#define NO_NUMBER UINT32_MAX

struct model_hold {
	int64_t start, end; /* by their stamps; end: INT64_MAX if it was held to the end */
	uint32_t lock;      /* number in the register */
	uint32_t wait;      /* for it, in the contended ones; NO_NUMBER: it was free */
	uint64_t thread : 25;
	uint64_t shared : 1; /* others held the lock at the same time, too */
	/* another thread held or wanted the lock since this one released it last */
	uint64_t moved : 1;
	uint64_t wakes : 1; /* another thread waited for it when this one released it */
	/* how long before its time stamp it was acquired, as other threads' waits show: ns */
	uint64_t early : 18;
	int64_t late : 18; /* how long after its time stamp it was released: ns */
};

/* A thread waited for a lock, which it then held. */
struct model_wait {
	int64_t arrived; /* at the lock */
	/* when the lock was released first: what comes then is no longer the holder's doing */
	int64_t since;
};

/* Something that let a waiting thread go on, or that it met others for. */
struct model_cause {
	uint32_t waiter; /* index in the trace's threads */
	uint32_t from;
	int64_t time;   /* in the thread `from` */
	size_t stretch; /* of the waiter's timeline */
	uint32_t lock;  /* it is this lock's release; else NO_LOCK */
	/* it begins such a wait itself: the last to arrive lets all go on */
	bool meeting;
};

/* What the number of processors of a run rests on. */
enum cores_source {
	CORES_UNKNOWN,  /* nothing: no thread waited for a processor, so the replay has no limit */
	CORES_OBSERVED, /* so many threads ran at once at most, but for a hundredth of the time */
	CORES_RECORDED, /* events say it: analysis/states/processors.h */
};

struct wait_reasons;

struct model {
	struct trace *trace;
	const struct instance_set *set;
	struct graph *graph;
	struct unknown_waits *unknown;
	struct lock_register *locks;         /* the set's */
	VECTOR(struct model_hold) holds;     /* by thread, then start */
	size_t *first_hold;                  /* of each thread, and one more */
	VECTOR(struct model_wait) contended; /* acquisitions, in the order of the holds */
	VECTOR(struct model_cause) causes;   /* by waiter, stretch, then time */
	size_t *first_cause;
	VECTOR(struct need) needs; /* but for released locks: by thread, then time */
	deadlines deadlines;       /* of sleeps */
	deadlines limits;          /* of waits */
	struct readiness *readiness;
	/* reasons/wait_reasons.h, above this folder; NULL: nobody has asked for them yet */
	struct wait_reasons *reasons;
	void (*reasons_free)(struct wait_reasons *r);
	unsigned cores; /* processors of the run; 0: CORES_UNKNOWN */
	enum cores_source cores_source;
};

/* A thread has few locks at a time: of so many holds that it began, one may be under way. */
enum { MOST_HOLDS_OPEN = 64 };

/* Return when a hold really began and ended. */
static inline int64_t hold_taken(const struct model_hold *h)
{
	return h->start - h->early;
}

static inline int64_t hold_released(const struct model_hold *h)
{
	return h->end + h->late;
}

/* Returns when its thread came to the lock. */
static inline int64_t hold_arrived(const struct model *m, const struct model_hold *h)
{
	return h->wait != NO_NUMBER ? m->contended.at[h->wait].arrived : hold_taken(h);
}

/*
 * Returns the set's class of a hold (index): its event, its lock and the place at which it begins.
 */
static inline uint32_t hold_class(const struct model *m, size_t hold)
{
	uint32_t thread = m->holds.at[hold].thread;

	return instance_spans(m->set, SPANS_HOLD, thread)->at[hold - m->first_hold[thread]].class;
}

/* Returns the lock that a wait of the set is for, or NO_LOCK. */
static inline uint32_t model_wait_lock(const struct model *m, const struct instance_span *wait)
{
	return m->set->classes.at[wait->class].lock;
}

/*
 * Never returns NULL. The set has SPANS_ALL, and is needed as long as the model. One caller at a
 * time.
 */
struct model *model_of(const struct instance_set *set);
void model_free(struct model *m);
/* Sets how long threads were ready. Returns what it was; the caller frees one of the two. */
struct readiness *model_set_readiness(struct model *m, struct readiness *r);
/* Keeps the first limits of waits. */
void model_set_limits(struct model *m, size_t n);

/*
 * Returns the time from one time to another in which a thread was ready and the program's threads
 * had all processors. The rest does not count: another program had a processor.
 */
int64_t model_ready(const struct model *m, uint32_t thread, int64_t from, int64_t to);
/* Returns how long a thread was in a state between two moments; 0 if that is not known. */
int64_t model_state_time(const struct model *m, uint32_t thread, enum thread_state state,
			 int64_t from, int64_t to);
/*
 * Returns when a thread was first in another state than running between two moments; `to`: never.
 */
int64_t model_leaves(const struct model *m, uint32_t thread, int64_t from, int64_t to);
/* Returns whether a thread has a need from one time on, and before another one. */
bool model_needs_in(const struct model *m, uint32_t thread, int64_t from, int64_t to);
/* Returns the object of a wait that begins at a time, or NO_LOCK. */
uint32_t model_wait_object(const struct model *m, uint32_t thread, int64_t start);

#endif
