/* Prints the curves of glimpse whatif --sweep, and the table of the largest gains. */
#ifndef GLIMPSE_CLI_WHATIF_SWEEP_H
#define GLIMPSE_CLI_WHATIF_SWEEP_H

#include "analysis/replay/answer/sweep.h"
#include "cli/common/command.h"

/* The option --sweep. */
void sweep_take(const char *text);
/* Whether it was given. */
bool sweep_is_asked(void);
/* Answers it; returns an exit status. */
int sweep_answer(struct command_request *r, struct prediction *p);

#endif
