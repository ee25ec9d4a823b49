/* Why a directory could not be opened, and what to do about it. */
#ifndef GLIMPSE_TRACE_OPEN_DIRECTORY_FAIL_H
#define GLIMPSE_TRACE_OPEN_DIRECTORY_FAIL_H

#include "trace/open/directory.h"
#include <dirent.h>

/* It could not be opened, with this errno. */
void directory_refused(const char *path, int error, struct diag *diag);

/* There is no log in it. dir: not used for a packed file. */
void directory_without_logs(const struct directory *d, DIR *dir, struct diag *diag);

#endif
