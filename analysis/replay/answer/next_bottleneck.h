/*
 * Names what limits a predicted run: the thread's function or interval that has most of its
 * critical path, a lock, the processors, or waiting. Computes what the run would gain if that
 * improved as well; and so on, for up to three steps of a plan.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_NEXT_BOTTLENECK_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_NEXT_BOTTLENECK_H

#include "analysis/replay/answer/limit.h"
#include "analysis/replay/answer/prediction.h"

enum bottleneck_kind {
	BOTTLENECK_UNKNOWN,
	BOTTLENECK_FUNCTION,   /* tried twice as fast, without its callees */
	BOTTLENECK_INTERVAL,   /* twice as fast */
	BOTTLENECK_THREAD,     /* computes somewhere: twice as fast */
	BOTTLENECK_LOCK,       /* without it */
	BOTTLENECK_PROCESSORS, /* as many as are wanted */
	BOTTLENECK_IO,         /* input and output twice as fast */
	BOTTLENECK_WAITING,    /* for what no thread ends: nothing is tried */
};

struct bottleneck {
	struct limit limit; /* of the changed run */
	enum bottleneck_kind kind;
	/* The function, interval or lock, or what is waited in; no name: none of them. */
	struct subject subject;
	const char *thread; /* the name of the threads that the path is in; NULL: not of one name */
	double share;       /* of the critical path */
	bool others;        /* of waiting: for processors that other programs had */
	/*
	 * Of a lock, if others were removed and that gained little: the one of them that was held
	 * longest; else NULL.
	 */
	const char *instead_of;
	bool held_as_long; /* the lock is held as long as that one, in all */
	bool tried;
	/*
	 * If tried: how many times as fast as after the change that was asked for: a limit that
	 * comes back is made twice as fast once more. How long the run takes with all changes up to
	 * this one, between which times that should be, and how long it takes without this one, ns.
	 */
	unsigned factor;
	int64_t duration, low, high, before;
	/*
	 * Of a lock without which the run gains little: the lock that limits it then. Else what
	 * limits the run still, though it became better; or NULL.
	 */
	const char *after;
};

enum { NEXT_STEPS = 3 };

/*
 * The limit of a changed run, and then that of the run in which it became better as well. All but
 * the last one are tried.
 */
struct next_steps {
	struct bottleneck at[NEXT_STEPS];
	unsigned n; /* 1 or more */
};

/*
 * Returns what limits the changed run of a prediction that has been made with changes whose `next`
 * is set. The set has SPANS_NAMED. Each step is one more replay: a long run has fewer steps. After
 * the first one, steps end before one that gains less than 2 % or fixes the same again, and with
 * one that cannot be tried. Single operations of the changed replay are forgotten. Texts are the
 * trace's.
 */
struct next_steps next_steps_of(struct prediction *p, const struct changes *c);

/* Whether a step that was tried gains less than 2 % of the run without it. */
bool next_gains_little(const struct bottleneck *b);

/* Returns "function", "interval", ..., "unknown". */
const char *bottleneck_kind_name(enum bottleneck_kind kind);

#endif
