/* Reads the command line of gorge. */
#ifndef GLIMPSE_GORGE_OPTIONS_H
#define GLIMPSE_GORGE_OPTIONS_H

#include "viewers/gorge/query/view.h"
#include "viewers/gorge/server/reopen.h"

struct gorge_options {
	struct view view;
	struct log_source source;
	bool beside;             /* of two directories, one above the other */
	struct log_source upper; /* the first of them; gorge_options_split() */
	const char *output;      /* NULL: the view opens in a browser */
	double scale;            /* pixels of a PNG for each of the view's */
	int flame;               /* enum flame_kind: a flame graph; -1: the diagram */
	bool path;               /* with the critical path */
	bool dump;
	bool once; /* the server ends with its page */
};

/*
 * Reads the command line. Ends the program after --help and --version (status 0), and on a command
 * line that is wrong (status 2, with a message).
 */
struct gorge_options gorge_options_read(int argc, char **argv);

/* With --beside, the first directory becomes the upper run, and the second one stays. */
void gorge_options_split(struct gorge_options *o);

#endif
