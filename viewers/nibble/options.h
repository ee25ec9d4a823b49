/* Reads the command line of nibble. */
#ifndef GLIMPSE_NIBBLE_OPTIONS_H
#define GLIMPSE_NIBBLE_OPTIONS_H

#include "viewers/nibble/plot/plot.h"

enum nibble_action { ACTION_DRAW, ACTION_DUMP, ACTION_CSV, ACTION_JSON };

struct nibble_options {
	enum nibble_action action;
	const char *output;  /* NULL: a window or the terminal */
	const char *file;    /* of plots; NULL: none */
	const char *sweep;   /* the file of predictions that is drawn instead; NULL: none */
	const char *spec;    /* NULL: the one in the logs */
	int64_t from, to;    /* nanoseconds; to is INT64_MAX: the end */
	const char *threads; /* NULL: all */
	bool allow_empty;
	const char *align;        /* the event at which every run's time is 0; NULL: its first */
	bool join;                /* the directories are one run */
	struct plot_options plot; /* all but its range */
	const char *const *runs;  /* directories */
	unsigned nruns;
	const char *const *expressions;
	unsigned nexpressions;
};

/*
 * Reads the command line; on --help, --version or an error the program ends here. Borrows argv,
 * which it permutes.
 */
void nibble_options_read(struct nibble_options *o, int argc, char **argv);

#endif
