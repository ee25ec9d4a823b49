/*
 * Launches the recorded program as a child of the recorder. The recorder stays in its process group
 * and does not touch the terminal. What the program inherits is what it would have without a
 * recorder: dispositions and mask of signals, descriptors, limits.
 */
#ifndef GLIMPSE_RECORDER_LAUNCH_H
#define GLIMPSE_RECORDER_LAUNCH_H

#include "recorder/sentry.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A variable of the program's environment. */
struct launch_variable {
	const char *name;
	const char *value;
};

struct launch {
	pid_t pid;
	int go, failed; /* pipes: lets the program run; brings the error of exec */
	int signals;    /* descriptor of the signals that reach the recorder */
	int64_t used;   /* processor time of the program and what it waited for, ns, once reaped */
	struct sentry sentry;
};

/*
 * Forks. The child waits until launch_run(), then calls exec with these n variables set. From here
 * on all signals are kept for launch_step(), and the recorder has none of the program's descriptors
 * but standard error. Returns false with errno set.
 */
bool launch_begin(struct launch *l, char **argv, const struct launch_variable *variables, size_t n);
/* Lets the program run. Returns 0, or the error number of exec; then the child is gone. */
int launch_run(struct launch *l);
/*
 * Does what the signals ask for that have arrived: l->signals can be read then. Signals that were
 * sent to the recorder alone go on to the program; if the program stops, so does the recorder,
 * until both go on. Returns whether the program has ended; it is not reaped yet.
 */
bool launch_step(struct launch *l);
/* Waits until the program has ended, without doing anything else. */
void launch_wait(struct launch *l);
/* Reaps the program. Returns its status, as waitpid() has it. */
int launch_reap(struct launch *l);
/*
 * Does the work that is left in a process of its own, to which signals go from here on: whatever
 * becomes of it, the recorder still has the program's status. Returns the status of that process,
 * -1 if there could be none.
 */
int launch_work(struct launch *l, void (*work)(void *), void *context);
/*
 * Ends the recorder by the signal that ended the program; else returns the exit status to end with.
 */
int launch_end(struct launch *l, int status);

#endif
