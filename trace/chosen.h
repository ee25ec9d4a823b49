/* The option --interval, which several subcommands have. */
#ifndef GLIMPSE_TRACE_CHOSEN_H
#define GLIMPSE_TRACE_CHOSEN_H

#include "trace/cmd.h"

#define CHOSEN_OPTION \
	{'i', "interval", "INTERVAL", "only this interval (repeatable)", chosen_take}

void chosen_take(const char *name);

/*
 * The intervals that were asked for, or all, in the order of the specification; NULL-terminated, to
 * be freed. NULL after an error was told. The trace learns which events will be wanted.
 */
const struct interval **chosen_intervals(struct trace *t, struct diag *diag);

#endif
