/* Reads the command line of glimpsec. */
#ifndef GLIMPSE_CODEGEN_OPTIONS_H
#define GLIMPSE_CODEGEN_OPTIONS_H

#include "codegen/target.h"
#include <stdbool.h>

enum action { ACTION_GENERATE, ACTION_CHECK, ACTION_DUMP, ACTION_ESTIMATE };

struct options {
	enum action action;
	const struct target *target;
	const char *directory;
	bool warnings_are_errors;
	bool json;          /* messages are printed as JSON; only of ACTION_CHECK */
	const char **muted; /* names of warnings, NULL-terminated */
	char **specs;       /* points into argv */
	int nspecs;
};

/*
 * Reads the command line. Ends the program after --help and --version (status 0), and on a wrong
 * command line (status 2, with a message).
 */
struct options options_read(int argc, char **argv);
void options_free(struct options *o);

#endif
