/* Makes the directory of a recording. */
#ifndef GLIMPSE_RECORDER_RUN_DIRECTORY_H
#define GLIMPSE_RECORDER_RUN_DIRECTORY_H

#include <stdbool.h>

struct run_directory {
	char *name; /* as the user would type it */
	char *path; /* the same, absolute */
};

/*
 * Makes the directory: `wanted`, or glimpse.PROGRAM.PID if that is NULL. One that exists is taken
 * if it is empty; else it is left as it is, and the next free one of NAME.1, NAME.2, ... is made.
 * *notice is then set. Returns false with errno set.
 */
bool run_directory_make(struct run_directory *d, const char *wanted, const char *program,
			bool *notice);
/* Removes it, in which nothing was before, when the program could not be started. */
void run_directory_drop(const struct run_directory *d);
void run_directory_free(struct run_directory *d);

#endif
