/* The options --interval and --memory, which several subcommands have. */
#ifndef GLIMPSE_CLI_INTERVALS_H
#define GLIMPSE_CLI_INTERVALS_H

#include "cli/command.h"

#define CHOSEN_OPTION \
	{'i', "interval", "INTERVAL", "only this interval (repeatable)", chosen_take}

#define MEMORY_OPTION \
	{0, "memory", "SIZE", \
	 "use at most this much memory (512MiB, 4GB); the rest goes to files in $TMPDIR", \
	 memory_take}

void chosen_take(const char *name);
void memory_take(const char *size);

/*
 * The intervals that were asked for, or all, in the order of the specification; NULL-terminated, to
 * be freed. NULL after an error was told. The trace learns which events will be wanted.
 */
const struct interval **chosen_intervals(struct trace *t, struct diag *diag);

#endif
