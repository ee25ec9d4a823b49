/*
 * Confines the program to the files that it was given (Landlock): what somebody has put into a log
 * can then reach no others, even through a mistake in a reader. Where the kernel has no Landlock,
 * or $GLIMPSE_CONFINE is "no", nothing is confined, and nothing is said.
 */
#ifndef GLIMPSE_BASE_CONFINE_H
#define GLIMPSE_BASE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What is allowed below a path: to read; or also to make, write and remove files; or also to run
 * them.
 */
enum confine_use { CONFINE_READ, CONFINE_WRITE, CONFINE_EXECUTE };

/* What is allowed beside files: bits. */
enum confine_contact {
	CONFINE_LISTENS = 1, /* on a TCP port that the system chooses */
	CONFINE_ASKS = 2,    /* whether a process is there: may send signals */
	CONFINE_CONNECTS = 4 /* by TCP, and to all local sockets */
};

struct confinement {
	int version; /* of Landlock; 0: there is none */
	int ruleset;
};

/* Returns which version of Landlock the kernel has; 0: none. */
int confine_version(void);
/* Returns the rights that a version knows and that are denied unless they are allowed. */
uint64_t confine_handled(int version);
/* Returns the rights that a use of a directory, or of a file, needs. */
uint64_t confine_rights(int version, enum confine_use use, bool directory);

/* Begins a list of what is allowed; contacts: bits of enum confine_contact. */
void confine_begin(struct confinement *c, unsigned contacts);
/* Allows a use of the path, and of all below it; nothing if there is no such path. */
void confine_allow(struct confinement *c, enum confine_use use, const char *path);
/* Allows a use of each path in a list with colons, such as $PATH; NULL is empty. */
void confine_allow_list(struct confinement *c, enum confine_use use, const char *paths);
/*
 * Allows to make a file or directory at a path, and others beside it; and to write to what is
 * there, which may be no file (a pipe).
 */
void confine_allow_output(struct confinement *c, const char *path);
/*
 * Confines the program, which has one thread, and all that it starts to what is allowed. Returns
 * whether it is confined.
 */
bool confine_end(struct confinement *c);

#endif
