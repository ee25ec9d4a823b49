/* Opens a copy of what a program that is being recorded has logged so far. */
#ifndef GLIMPSE_CLI_LIVE_COPY_H
#define GLIMPSE_CLI_LIVE_COPY_H

#include "trace/trace.h"

struct live_copy {
	char *path;          /* a directory of its own; NULL: there is none */
	struct trace *trace; /* NULL: nothing can be read yet */
};

/*
 * Copies the logs of a directory and opens the copy. states: with what the recorder has seen of the
 * threads, as it is after the recording; else only events are counted.
 */
struct live_copy live_copy_open(const char *directory, bool states);
void live_copy_close(struct live_copy *c);

#endif
