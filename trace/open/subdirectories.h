/*
 * Finds the log directories within a log directory: further processes of the same run, for example
 * forked children of a recorded program. It does not search within these.
 */
#ifndef GLIMPSE_TRACE_OPEN_SUBDIRECTORIES_H
#define GLIMPSE_TRACE_OPEN_SUBDIRECTORIES_H

#include "trace/pack/pack.h"
#include <stddef.h>

/* The directory of the recorder's own logs, which it removes at its end. */
#define RECORDER_NAME "recorder"

/* Names, sorted; numbers in them compare as numbers. */
struct subdirectories {
	char **names;
	size_t n;
};

/*
 * Returns those in the directory at a path that have a process file or logs, and are its owner's;
 * links are none.
 */
struct subdirectories subdirectories_find(const char *path);
/* Returns those that files of a packed file are in. */
struct subdirectories subdirectories_of_pack(const struct pack *p);
bool subdirectories_have(const struct subdirectories *s, const char *name);
void subdirectories_clear(struct subdirectories *s);

/* Returns PATH/NAME, which the caller frees. */
char *subdirectory_path(const char *path, const char *name);

#endif
