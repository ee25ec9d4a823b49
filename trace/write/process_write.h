/* Writes the process file of a log directory whose run has ended. */
#ifndef GLIMPSE_TRACE_WRITE_PROCESS_WRITE_H
#define GLIMPSE_TRACE_WRITE_PROCESS_WRITE_H

#include "trace/format/clock.h"
#include <stdbool.h>
#include <stddef.h>

struct process_spec {
	uint64_t schema;
	uint32_t base, events;
	const char *name;
};

/* What the file says; the times of the logs are in nanoseconds. */
struct process_head {
	uint32_t pid;
	const char *program;
	struct clock_sample first, last;  /* pairs of ticks (the same nanoseconds) and times */
	const struct process_spec *specs; /* at most PROCESS_SPECS */
	size_t nspecs;
};

/*
 * Makes the new file `process` in a directory. Returns false with errno set if it cannot be
 * written.
 */
bool process_write(const char *directory, const struct process_head *head);

#endif
