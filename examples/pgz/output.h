/* The output file, which appears under its name only when it is complete. */
#ifndef PGZ_OUTPUT_H
#define PGZ_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct output {
	const char *name;       /* as the user gave it */
	char *temporary;        /* what is written until output_commit(); NULL: the file itself */
	int fd;
};

/* Opens the file of that name, "-" being standard output. False on an error: see errno. */
bool output_open(struct output *o, const char *name);

/* Writes all of it. False on an error: see errno. */
bool output_write(struct output *o, const void *bytes, size_t size);

/* Closes the file and gives it its name. False on an error: see errno, and discard it. */
bool output_commit(struct output *o);

/* Leaves no file behind. */
void output_discard(struct output *o);

#endif
