/* The command line of gorge. */
#ifndef GLIMPSE_GORGE_OPTIONS_H
#define GLIMPSE_GORGE_OPTIONS_H

#include "viewers/gorge/query/view.h"

struct options {
	struct view view;
	const char *output;             /* NULL: none was given; the view opens in a browser */
	const char *spec;               /* NULL: the one in the logs */
	double scale;                   /* pixels of a PNG for each of the view's */
	bool dump;
	bool once;                      /* the server ends with its page */
	bool follow;                    /* the program runs still: its logs are read again */
	const char *const *directories; /* points into argv */
	unsigned ndirectories;
};

/*
 * Ends the program after --help and --version (status 0) and on a command line that it does not
 * understand (status 2, with a message).
 */
struct options options_read(int argc, char **argv);

#endif
