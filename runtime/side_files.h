/*
 * Text files of the log directory to which lines are appended, each call in one write(2): what the
 * process was given to say about its addresses. Call these functions inside a guard.
 */
#ifndef GLIMPSE_RUNTIME_SIDE_FILES_H
#define GLIMPSE_RUNTIME_SIDE_FILES_H

#include <stdbool.h>
#include <stddef.h>

enum side_file {
	SIDE_FILE_MODULES, /* the file modules */
	SIDE_FILE_OBJECTS, /* the file objects */
	SIDE_FILES
};

/*
 * Appends whole lines of `size` bytes, and creates the file at first. Takes the lock. Does nothing
 * if the run is not open; prints a warning if the disk has no room.
 */
void gl_side_file_append(enum side_file file, const char *text, size_t size);

/* Lets a forked child begin files of its own. Under the lock. */
void gl_side_files_forget(void);

#endif
