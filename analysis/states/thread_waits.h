/*
 * Finds what a thread did in a window: its states, what each of its waits was for, which thread
 * held that, and which thread ended the wait.
 */
#ifndef GLIMPSE_ANALYSIS_STATES_THREAD_WAITS_H
#define GLIMPSE_ANALYSIS_STATES_THREAD_WAITS_H

#include "analysis/activity/instance_set.h"
#include "analysis/states/states.h"

/* Nobody is known. */
#define NO_THREAD_KNOWN UINT32_MAX

/* Who ends waits, and who holds locks, of a whole trace. */
struct wait_sources;

/* A state; times are clipped to the window. */
struct thread_span {
	enum thread_state state;
	int64_t start, end;
};

/* A wait; times are clipped to the window. Threads are indices in the trace's. */
struct thread_wait {
	int64_t start, end;
	const struct span_class *class;
	const char *object; /* "": it is for no object */
	/* had the object for the longest time of the wait; NO_THREAD_KNOWN */
	uint32_t holder;
	int64_t held; /* for how long */
	/* Had the last cause of the end, or else the last cause within; NO_THREAD_KNOWN. */
	uint32_t ended_by;
	/*
	 * Time in which no wait that began later was open, and the time of that in which the thread
	 * was blocked.
	 */
	int64_t own, blocked;
};

/* Waits of one interval for one object. */
struct wait_total {
	const struct role *role;
	const char *object;
	uint64_t times;
	int64_t total, blocked; /* sums of own and blocked */
	int64_t longest;
	uint32_t holder, ended_by; /* of the longest that has one; NO_THREAD_KNOWN */
};

struct thread_waits {
	VECTOR(struct thread_span) states; /* by their starts */
	VECTOR(struct thread_wait) waits;  /* by their starts */
	VECTOR(struct wait_total) totals;  /* the largest first */
	int64_t blocked_else;              /* blocked in no wait */
};

/* What a set must have: SPANS_WAIT, SPANS_HOLD, SPANS_STATE and SPANS_NAMED. */
#define THREAD_WAITS_SPANS (1u << SPANS_WAIT | 1u << SPANS_HOLD | 1u << SPANS_STATE | SPANS_NAMED)

/* Never returns NULL. threads: those that are asked for, by index. */
struct wait_sources *wait_sources_of(const struct instance_set *set, const bool *threads);
void wait_sources_free(struct wait_sources *s);

/* Finds the waits of a thread (index) in a window. */
void thread_waits_find(struct thread_waits *w, const struct wait_sources *s, uint32_t thread,
		       struct states_window window);
void thread_waits_free(struct thread_waits *w);

#endif
