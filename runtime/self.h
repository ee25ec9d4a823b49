/* The calling thread: the tails that it writes to. */
#ifndef GLIMPSE_RUNTIME_SELF_H
#define GLIMPSE_RUNTIME_SELF_H

#include "runtime/tail.h"

/* Tails of a thread. Handlers that interrupt handlers in events deeper lose theirs, counted. */
#define GL_LEVELS 8u

struct self {
	struct tail *tails[GL_LEVELS];  /* the thread's own, then those of its handlers; or NULL */
	uint64_t retry;         /* ticks from which opening a log is tried again */
	bool off;               /* by glimpse_thread_switch() */
	int rounds;             /* of destructors of the thread's data */
};

extern __thread struct self gl_self __attribute__((tls_model("initial-exec")));

/* Lets glimpse_self, which inline events write to, point to the thread's own tail, or to none. */
void gl_self_point(void);

/* Returns the first tail that no event is at work in; NULL if that one is not opened. */
struct tail *gl_self_idle(void);

/* Returns whether a tail is one of the calling thread's. */
bool gl_self_owns(const struct tail *t);

/* Replaces a tail of the calling thread. Inside a guard. */
void gl_self_replace(const struct tail *from, struct tail *to);

/* Forgets all tails, in a forked child. */
void gl_self_forget(void);

#endif
