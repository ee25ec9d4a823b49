/* Runs `glimpse why` on a recorded trace and on a program. */
#ifndef GLIMPSE_CLI_WHY_H
#define GLIMPSE_CLI_WHY_H

#include "cli/common/command.h"

/* Searches a part of a trace, prints what was found, and sets how much; returns an exit status. */
int why_search(struct command_request *r, struct trace *t, unsigned processors, int64_t from,
	       int64_t to, size_t *found);

/*
 * Searches a trace as if its program were running, and prints what would have been found when, and
 * how much of the events that took; returns an exit status.
 */
int why_as_live(struct command_request *r, struct trace *t, unsigned processors);

/* The option --reproduce of both forms: prints the commands that compute the numbers, too. */
#define REPRODUCE_OPTION \
	{ \
		0, "reproduce", NULL, \
		    "print the commands that compute the numbers below each finding", \
		    why_take_reproduce \
	}
void why_take_reproduce(const char *unused);

/* glimpse why [OPTIONS] -- PROGRAM: searches while it runs; a command line of its own. */
int why_live_main(int argc, char **argv);

#endif
