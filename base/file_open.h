/* Opens files: of a log directory, and files that the user named. */
#ifndef GLIMPSE_BASE_FILE_OPEN_H
#define GLIMPSE_BASE_FILE_OPEN_H

#include <stdio.h>

/*
 * Opens a file of a log directory, which somebody else may have prepared: follows no link, takes no
 * device or pipe, and never waits. Returns -1 with errno set if that fails.
 */
int file_open(const char *path, int flags);
/* Opens for reading a file that the user named, and that may be a link; returns as file_open(). */
int file_open_given(const char *path);
/* Makes a new file that only the user may read; returns NULL with errno set if that fails. */
FILE *file_make_private(const char *path);
/* Returns the text for the errno of file_open(), with what to do about it. */
const char *file_why(int error);

#endif
