/*
 * Files that become shorter while they are mapped: whoever reads beyond the end gets the signal
 * SIGBUS. A program then ends with a message and status 2, or, if it says so, only the thread that
 * read stops, for good, and the program asks what happened.
 */
#ifndef GLIMPSE_BASE_FILE_SHRINK_H
#define GLIMPSE_BASE_FILE_SHRINK_H

#include <stddef.h>

/* Watches a map of an open file; the first call installs the handler of the signal. */
void file_shrink_watch(const void *map, size_t size, int fd);
/* Watches the first part of a map at the place where it is now. */
void file_shrink_move(const void *map, const void *to, size_t size);
/* Ends the watch of the map that begins there. */
void file_shrink_forget(const void *map);

/* Stops threads instead of the program from now on. */
void file_shrink_stop_threads(void);
/* Returns the path of the file that stopped a thread, or NULL. */
const char *file_shrink_path(void);

/* Says what happened to a file of that path, as the end of a sentence. */
#define FILE_SHRINK_WHY \
	"became shorter while it was read; of a program that runs, read a snapshot (glimpse ctl)"

#endif
