/* Finds and copies paths of files and directories. */
#ifndef GLIMPSE_BASE_PATH_H
#define GLIMPSE_BASE_PATH_H

#include <stddef.h>

/* Returns the length of a path without slashes at its end; "/" stays. */
size_t path_length(const char *path);

/* Returns a copy of a path without slashes at its end, which the caller frees. */
char *path_copy(const char *path);

/* Returns the last part of a path, without slashes at its end, which the caller frees. */
char *path_name(const char *path);

/*
 * Returns the folder of this program; "" if /proc is not there. Not by several threads at a time.
 */
const char *path_own_folder(void);

/*
 * Returns the path of a file that comes with this program, which the caller frees; NULL if it is
 * missing. Looks beside the program, as in the build, in `beside` relative to its folder, and in
 * the folder where it is installed.
 */
char *path_installed(const char *beside, const char *installed, const char *name);

#endif
