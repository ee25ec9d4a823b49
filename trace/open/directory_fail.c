#include "trace/open/directory_fail.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void directory_refused(const char *path, int error, struct diag *diag)
{
	if (error == ENOTDIR)
		diag_error(
		    diag, DIAG_NOWHERE,
		    "%s: this is no packed file; give one, or the log directory that holds log.0, "
		    "log.1, ...",
		    path);
	else if (error == ENOENT)
		diag_error(
		    diag, DIAG_NOWHERE,
		    "%s: there is no such directory; a program writes its logs to $GLIMPSE_DIR or "
		    "glimpse.PROGRAM.PID",
		    path);
	else if (error == EACCES)
		diag_error(diag, DIAG_NOWHERE,
			   "%s: %s; logs are private to the user that ran the program", path,
			   strerror(error));
	else
		diag_error(diag, DIAG_NOWHERE, "%s: %s", path, strerror(error));
}

/* Where the logs might be instead: the first directory in it that has some. */
static void hint_print(const struct directory *d, DIR *dir, struct diag *diag)
{
	struct dirent *entry;

	rewinddir(dir);
	while ((entry = readdir(dir))) {
		struct directory inner = {
		    .path = entry->d_name[0] == '.' ? NULL : directory_join(d, entry->d_name)};
		char *log = inner.path ? directory_join(&inner, "log.0") : NULL;
		struct stat status;
		bool found = log && stat(log, &status) == 0;

		if (found)
			diag_note(diag, DIAG_NOWHERE, "%s has some", inner.path);
		free(log);
		free((char *)inner.path);
		if (found)
			return;
	}
}

void directory_without_logs(const struct directory *d, DIR *dir, struct diag *diag)
{
	if (d->pack) {
		diag_error(diag, DIAG_NOWHERE, "%s: there are no logs in this packed file", d->path);
		return;
	}
	diag_error(diag, DIAG_NOWHERE,
		   "%s: no logs: looked for log.0, log.1, ...; run the program with GLIMPSE_DIR=%s",
		   d->path, d->path);
	hint_print(d, dir, diag);
}
