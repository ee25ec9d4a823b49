/*
 * The names of what descriptors stand for, logged once while a descriptor is open. Nothing here
 * allocates, takes a lock or is a point of cancellation; errno may change.
 */
#ifndef GLIMPSE_PROBES_IO_NAMES_H
#define GLIMPSE_PROBES_IO_NAMES_H

#include <stdbool.h>

#define NAMES_MOST 65536 /* descriptors from there on have no names */

extern unsigned char names_known[NAMES_MOST];

/* Finds out and logs the name of a descriptor, unless nothing can be said yet. */
void names_find(int fd);

/* Logs the name of a descriptor that was opened just now; `path` is what was opened. */
void names_opened(int fd, const char *path);

/* As names_find(), of a descriptor that may have had another name. */
void names_changed(int fd);

/* Before the descriptors `first` to `last` are closed. */
void names_forget(int first, int last);

/* Before a descriptor is used. */
static inline void names_used(int fd)
{
	if ((unsigned int)fd < NAMES_MOST && !__atomic_load_n(&names_known[fd], __ATOMIC_RELAXED))
		names_find(fd);
}

#endif
