/*
 * Text files of the log directory to which lines are appended, each call in one write(2): what the
 * process was given to say about its addresses. Call these functions inside a guard.
 */
#ifndef GLIMPSE_RUNTIME_LINES_H
#define GLIMPSE_RUNTIME_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum lines {
	LINES_MODULES,          /* the file modules */
	LINES_OBJECTS,          /* the file objects */
	LINES_FILES
};

/*
 * Appends whole lines of `size` bytes, and creates the file at first. Takes the lock. Does nothing
 * if the run is not open; prints a warning if the disk has no room.
 */
void gl_lines_append(enum lines file, const char *text, size_t size);

/* Lets a forked child begin files of its own. Under the lock. */
void gl_lines_forget(void);

#endif
