/* The command line. */
#ifndef PGZ_OPTIONS_H
#define PGZ_OPTIONS_H

#include <stddef.h>

struct options {
	int workers;            /* -p */
	int level;              /* -l, 0 to 9 as in zlib */
	size_t block_size;      /* -b, bytes */
	const char *input;      /* "-": standard input */
	const char *output;     /* "-": standard output */
	int slow_ms;            /* --slow-worker: how much longer worker 0 takes for each block */
};

/* Reads the command line; on --help or an error it says so and ends the program. */
void options_read(struct options *o, int argc, char **argv);

#endif
