/*
 * A second process in the recorder's process group, for two questions that the recorder itself
 * cannot answer: was a signal sent to the whole group, so that the program has it already? And,
 * while the recorder is stopped with the program: did somebody let the program alone go on?
 */
#ifndef GLIMPSE_RECORDER_SENTRY_H
#define GLIMPSE_RECORDER_SENTRY_H

#include "base/array.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A signal that the sentry got. */
struct sighting {
	int64_t time; /* CLOCK_MONOTONIC, ns */
	unsigned signal;
	pid_t sender;
};

struct sentry {
	pid_t pid;
	int answers, orders; /* pipes from and to it; -1: it could not be started */
	int asked;           /* how often */
	VECTOR(struct sighting) seen;
};

/*
 * Starts the sentry. The caller has all signals blocked; the sentry sees those that come from now
 * on. Returns false if it cannot be started.
 */
bool sentry_begin(struct sentry *s);
void sentry_end(struct sentry *s);
/*
 * Returns whether the sentry got the same signal of the same sender (0: the kernel). Waits for it a
 * little.
 */
bool sentry_got(struct sentry *s, unsigned signal, pid_t sender);
/*
 * Forgets the signals that the recorder will not ask about: those from before a time up to which
 * the recorder has read its own.
 */
void sentry_forget(struct sentry *s, int64_t read);
/* Says that the recorder is about to stop with the program; 0: that it goes on. */
void sentry_stopping(const struct sentry *s, pid_t program);
/* Returns whether the state of a process is "stopped". */
bool sentry_sees_stopped(pid_t pid);

#endif
