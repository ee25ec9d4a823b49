/* Reads the process file of a log directory: what the runtime says of the process. */
#ifndef GLIMPSE_TRACE_FORMAT_PROCESS_INFO_H
#define GLIMPSE_TRACE_FORMAT_PROCESS_INFO_H

#include "grammar/diag.h"
#include "trace/format/clock.h"
#include "trace/format/format.h"

/* Which events of a run were to be kept. */
enum process_keep { KEEP_UNKNOWN, KEEP_ALL, KEEP_OLDEST, KEEP_NEWEST };

struct process_info {
	bool present;
	uint32_t pid;
	uint32_t clock; /* enum log_clock */
	bool ended;     /* its run, in order; false: it runs, or died */
	/* ended as the program installed a filter of system calls */
	bool filtered;
	bool executed; /* another program */
	struct clock_sample samples[2 + PROCESS_PAIRS]; /* the first, the newest, then the table */
	size_t nsamples;
	uint64_t cost;          /* of an event, picoseconds; 0: not measured */
	uint64_t dropped;       /* events that no log could record */
	uint32_t keep;          /* enum process_keep */
	uint32_t rank;          /* in a parallel job, from 1; 0: none */
	uint64_t pid_space;     /* inode of the name space of pid; 0: unknown */
	unsigned char boot[16]; /* of the kernel; zeros: unknown */
	uint64_t frequency;     /* ticks per second, roughly; 0: unknown */
	char source[4 * 24];    /* the kernel's clock source if it is not the counter */
	char program[4 * 128];  /* its name, all visible */
	struct {
		uint64_t schema;
		uint32_t base;
	} specs[PROCESS_SPECS]; /* in the order in which they were registered */
	unsigned nspecs;
};

/*
 * Reads the process file at path from fd, and closes fd. fd is -1 if the file could not be opened,
 * with the reason in errno. A missing file is not an error: present is then false. Reports any
 * other file that cannot be read to diag.
 */
void process_info_read(struct process_info *p, const char *path, int fd, struct diag *diag);

#endif
