/*
 * The calling thread: the tails that it writes to. They are its own, or those of a log that it has
 * selected, which is another thread's (foreign_log.c).
 */
#ifndef GLIMPSE_RUNTIME_THREAD_TAILS_H
#define GLIMPSE_RUNTIME_THREAD_TAILS_H

#include "runtime/tail.h"

/* Tails of a thread. Handlers that interrupt handlers in events deeper lose theirs, counted. */
#define GL_LEVELS 8u

struct thread_tails {
	struct tail *own[GL_LEVELS]; /* of the thread, then of its handlers; or NULL */
	uint32_t number;             /* of its logs, if there has been one */
	uint32_t levels;             /* how many of them there have been; those that ended, too */
	struct glimpse_log *log;     /* selected, or NULL */
	uint64_t retry;              /* ticks from which opening a log is tried again */
	bool off;                    /* by glimpse_thread_switch() */
	int rounds;                  /* of destructors of the thread's data */
};

/* A log for another thread, perhaps of another process. */
struct glimpse_log {
	struct tail *tails[GL_LEVELS];
	uint32_t pid; /* these three for the log's header */
	uint64_t tid;
	char name[64];
	const struct thread_tails *holder; /* of the thread that has it selected, or NULL */
	bool open;
	struct glimpse_log *next; /* of all that ever were */
};

extern __thread struct thread_tails gl_self __attribute__((tls_model("initial-exec")));

/* Returns the tails that events go to, GL_LEVELS of them. */
static inline struct tail **gl_thread_tails(void)
{
	return gl_self.log ? gl_self.log->tails : gl_self.own;
}

/* Lets glimpse_self, which inline events write to, point to the first of them, or to none. */
void gl_thread_tails_point(void);

/* Returns the first tail that no event is at work in; NULL if that one is not opened. */
struct tail *gl_thread_tails_idle(void);

/* Returns whether a tail is one of the calling thread's. */
bool gl_thread_tails_owns(const struct tail *t);

/* Replaces a tail of the calling thread. Inside a guard. */
void gl_thread_tails_replace(const struct tail *from, struct tail *to);

/* Forgets all tails, and the selected log, in a forked child. */
void gl_thread_tails_forget(void);

#endif
