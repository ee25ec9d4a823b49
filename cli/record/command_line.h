/* Reads the command line of `glimpse record`, also from files (@FILE). */
#ifndef GLIMPSE_CLI_RECORD_COMMAND_LINE_H
#define GLIMPSE_CLI_RECORD_COMMAND_LINE_H

#include "cli/record/users_spec.h"
#include "recorder/probes.h"
#include <sys/types.h>

struct command_line {
	const char *directory, *keep, *drop, *every, *functions; /* NULL: not given */
	struct probes probes;
	struct users_spec spec; /* of -s */
	bool leave_children, quiet, jit, full;
	double require; /* of the program's processor time, to be seen; 0: not given */
	bool usual; /* the probes are the default ones */
	uint32_t rate, stack; /* of samples: times a second, bytes; 0: not given */
	pid_t attach;         /* 0: a program is to be run */
	char **program;       /* and its arguments; ends with NULL */
};

/* Reads argv, which it keeps, or ends the program with a message. */
struct command_line command_line_take(int argc, char **argv);

#endif
