/* The process file of a log directory. */
#ifndef GLIMPSE_TRACE_FORMAT_PROCESS_FILE_H
#define GLIMPSE_TRACE_FORMAT_PROCESS_FILE_H

#include "grammar/diag.h"
#include "trace/format/clock.h"
#include "trace/format/format.h"

struct process_file {
	bool present;
	uint32_t pid;
	uint32_t clock;                 /* enum log_clock */
	bool ended;                     /* in order; false: it runs, or died */
	struct clock_sample pairs[2];     /* the first and the newest */
	uint64_t cost;                  /* of an event, picoseconds; 0: not measured */
	uint64_t dropped;               /* events that no log could record */
	uint64_t frequency;             /* ticks per second, roughly; 0: unknown */
	char program[128];
	struct {
		uint64_t schema;
		uint32_t base;
	} specs[PROCESS_SPECS];         /* in the order in which they were registered */
	unsigned nspecs;
};

/*
 * fd, which is closed, is the file at path; -1: errno says why there is none. A missing file is no error: present is then false. A file that is not one is warned of.
 */
void process_read(struct process_file *p, const char *path, int fd, struct diag *diag);

#endif
