/*
 * A second process in the recorder's process group, for two questions that the recorder itself
 * cannot answer: was a signal sent to the whole group, so that the program has it already? And,
 * while the recorder is stopped with the program: did somebody let the program alone go on?
 */
#ifndef GLIMPSE_RECORDER_SENTRY_H
#define GLIMPSE_RECORDER_SENTRY_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Starts the sentry. The caller has the signals blocked that the sentry is asked for; it sees those
 * that come from now on. pipes gets its answers, and a way to it; both are -1, and false is
 * returned, if it cannot be started.
 */
bool sentry_begin(int pipes[2]);
/* Returns whether the sentry got the same signal of the same sender. Waits for it a little. */
bool sentry_got(const int pipes[2], unsigned signal, pid_t sender);
/* Says that the recorder is about to stop with the program; 0: that it goes on. */
void sentry_stopping(const int pipes[2], pid_t program);
/* Returns whether the state of a process is "stopped". */
bool sentry_sees_stopped(pid_t pid);

#endif
