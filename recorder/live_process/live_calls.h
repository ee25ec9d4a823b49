/* Describes the system calls in which threads are blocked. */
#ifndef GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_CALLS_H
#define GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_CALLS_H

#include "recorder/live_process/live_objects.h"

struct live_call_kind {
	long number;
	const char *name;
	enum live_kind kind; /* LIVE_DESCRIPTOR: its first argument is one */
};

/* Returns the name and kind of a call; NULL: it is not in the table. */
const struct live_call_kind *live_call_kind(long number);
/*
 * Returns what a descriptor of the process is, "pipe:[123]", to be freed; NULL: not known.
 */
char *live_descriptor(pid_t pid, int descriptor);

#endif
