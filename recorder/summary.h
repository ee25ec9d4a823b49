/* Prints the last lines of `glimpse record`. */
#ifndef GLIMPSE_RECORDER_SUMMARY_H
#define GLIMPSE_RECORDER_SUMMARY_H

#include "recorder/probes.h"
#include "recorder/recorder.h"
#include <stdint.h>
#include <stdio.h>

struct run_summary {
	const char *program;   /* as it was called */
	const char *directory; /* as the user would type it */
	const char *probes;    /* between commas */
	const struct probes *asked;
	const char *inside;    /* those of them whose libraries are in the program; NULL: none */
	const char *functions; /* which functions or methods are to be logged; NULL: not said */
	int status;            /* as of waitpid(); -1: it was observed, and may go on */
	int64_t duration;      /* ns */
	int64_t used;          /* processor time of the program, ns; 0: not known */
	int64_t recorder;      /* time of processors that the recorder took, ns */
	bool timers;           /* the program took samples of call stacks itself */
	struct recorder_summary found;
};

/*
 * Prints five lines about a run; t: its trace, or NULL if that cannot be read. There is one more
 * line for each probe that logged nothing, if states may be less exact than they could be, and for
 * samples by timers. A Python that was sampled without the names of its functions has one, too. The
 * last line has the command to type next.
 */
struct trace;
void summary_print(FILE *out, const struct run_summary *e, const struct trace *t);

#endif
