/* Says what the machine did not give the recorder of a trace, and what to do. */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_UNRECORDED_H
#define GLIMPSE_ANALYSIS_ACTIVITY_UNRECORDED_H

#include "trace/trace.h"

/* What an answer needs. */
enum unrecorded {
	UNRECORDED_STATES = 1,  /* exact times at which threads run, are ready and blocked */
	UNRECORDED_WAKEUPS = 2, /* which thread wakes which, beside what the program's events say */
	UNRECORDED_SAMPLES = 4, /* of call stacks */
	UNRECORDED_KERNEL = 8,  /* functions of the kernel in them */
	UNRECORDED_WAITS =
	    16, /* what threads wait for, of a process to which the recorder attached */
};
#define UNRECORDED_ANY (UINT32_MAX)

/*
 * Returns one sentence on what a trace lacks, with the remedies; NULL: nothing that is known.
 * The caller frees it.
 */
char *unrecorded_text(const struct trace *t, uint32_t needs);

#endif
