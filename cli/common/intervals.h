/* Reads the options --interval and --memory, which several subcommands have. */
#ifndef GLIMPSE_CLI_COMMON_INTERVALS_H
#define GLIMPSE_CLI_COMMON_INTERVALS_H

#include "cli/common/command.h"

#define INTERVAL_OPTION \
	{ \
		'i', "interval", "INTERVAL", \
		    "only this interval, or all that match a pattern such as\n" \
		    "'*Wait' (repeatable)", \
		    intervals_take \
	}

#define MEMORY_OPTION \
	{ \
		0, "memory", "SIZE", \
		    "use at most this much memory (512MiB, 4GB); put the rest into\n" \
		    "files in $TMPDIR", \
		    intervals_take_memory \
	}

void intervals_take(const char *name);
void intervals_take_memory(const char *size);

/*
 * Returns the intervals that were asked for, or all, in the order of the specification; the array
 * ends with NULL, and the caller frees it. Tells the trace which events will be wanted. Returns
 * NULL after a report to diag.
 */
const struct interval **intervals_chosen(struct trace *t, struct diag *diag);
/* The same of each of n traces, as an array of arrays. What one of them has may be asked for. */
const struct interval ***intervals_chosen_of(struct trace *const *traces, unsigned n,
					     struct diag *diag);
void intervals_free(const struct interval ***chosen, unsigned n);

#endif
