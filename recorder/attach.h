/* Observes a process that runs already, until it ends or the user stops. */
#ifndef GLIMPSE_RECORDER_ATTACH_H
#define GLIMPSE_RECORDER_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

struct attached {
	char program[64];
	int process; /* descriptor of the process */
	int signals; /* descriptor for the signals that end the observation */
	int events;  /* can be read when one of the two can */
};

/* Returns false with errno set: there is no such process, or it is another user's. */
bool attach_begin(struct attached *a, pid_t pid);
/* Returns whether the process has ended, or ^C was typed. */
bool attach_ended(const struct attached *a);
void attach_end(struct attached *a);

#endif
