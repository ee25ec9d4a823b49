/*
 * Names what limits a predicted run: the thread's function or interval that has most of its
 * critical path, a lock, the processors, or waiting. Computes what the run would gain if that
 * improved as well.
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
	int64_t duration; /* of the run if it became better as well, ns; if tried */
	/* Of a lock without which the run gains little: the lock that limits it then; else NULL. */
	const char *after;
};

/*
 * Returns what limits the changed run of a prediction that has been made with changes whose `next`
 * is set. The set has SPANS_NAMED. Replays once more, as prediction_further(). Texts are the
 * trace's.
 */
struct bottleneck next_bottleneck(struct prediction *p, const struct changes *c);

/* Returns "function", "interval", ..., "unknown". */
const char *bottleneck_kind_name(enum bottleneck_kind kind);

#endif
