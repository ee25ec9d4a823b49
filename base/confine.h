/*
 * Confines the program to the files that it was given (Landlock): what somebody has put into a log
 * can then reach no others, even through a mistake in a reader. Where the kernel has no Landlock,
 * or $GLIMPSE_CONFINE is "no", nothing is confined, and nothing is said.
 */
#ifndef GLIMPSE_BASE_CONFINE_H
#define GLIMPSE_BASE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/* What is allowed below a path: to read; or also to make, write and remove files. */
enum confine_use { CONFINE_READ, CONFINE_WRITE };

struct confinement {
	int version;            /* of Landlock; 0: there is none */
	int ruleset;
};

/* Returns which version of Landlock the kernel has; 0: none. */
int confine_version(void);
/* Returns the rights that a version knows and that are denied unless they are allowed. */
uint64_t confine_handled(int version);
/* Returns the rights that a use of a directory, or of a file, needs. */
uint64_t confine_rights(int version, enum confine_use use, bool directory);

/* Begins a list of what is allowed. */
void confine_begin(struct confinement *c);
/* Allows a use of the path, and of all below it; nothing if there is no such path. */
void confine_allow(struct confinement *c, enum confine_use use, const char *path);
/* Allows to write in the folder of a path, where a file or directory of that name is to be made. */
void confine_allow_output(struct confinement *c, const char *path);
/*
 * Confines the program, which has one thread, to what is allowed, without new programs or
 * connections. Returns whether it is confined.
 */
bool confine_end(struct confinement *c);

#endif
