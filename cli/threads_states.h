/* Prints `glimpse threads --thread`: states and waits of threads, and their totals. */
#ifndef GLIMPSE_CLI_THREADS_STATES_H
#define GLIMPSE_CLI_THREADS_STATES_H

#include "analysis/states/states.h"
#include "cli/common/command.h"

/* s: the states of the window; chosen: by index in the trace's threads. */
void threads_states_print(struct command_request *r, struct trace *t, const struct states *s,
			  const bool *chosen, struct states_window window);

#endif
