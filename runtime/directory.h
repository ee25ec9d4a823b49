/* Where a run's logs go. */
#ifndef GLIMPSE_RUNTIME_DIRECTORY_H
#define GLIMPSE_RUNTIME_DIRECTORY_H

#include <stdbool.h>

/*
 * Chooses and makes the log directory of gl_process, and in it the empty process file, whose
 * creation claims it. What an earlier run left is neither mixed with nor touched: this run goes
 * to DIR.1, DIR.2, ... and says so. The descriptor of the process file, or -1 after a message.
 */
int gl_directory_open(void);

/* Makes a path absolute, from the working directory as it is now. False when it is too long. */
bool gl_directory_absolute(char *out, const char *path, const char *from);

#endif
