#include "trace/open/load.h"
#include <stdlib.h>
#include <sys/stat.h>

#define MAX_LOGS (1u << 22) /* that event lists can tell apart */

/* Whether a path leads where one before it leads, of which diag is warned; takes down where. */
static bool path_repeats(struct stat *seen, const char *const *paths, unsigned i, struct diag *diag)
{
	if (stat(paths[i], &seen[i]) != 0)
		return false;
	for (unsigned j = 0; j < i; j++)
		if (seen[j].st_ino == seen[i].st_ino && seen[j].st_dev == seen[i].st_dev) {
			diag_warning(diag, "log", DIAG_NOWHERE,
				     "%s was given before, as %s; it is read once", paths[i],
				     paths[j]);
			return true;
		}
	return false;
}

static bool paths_open(struct opened *o, struct stat *seen, const char *const *paths, unsigned n,
		       size_t *logs, struct diag *diag)
{
	for (unsigned i = 0; i < n; i++) {
		struct directory *d = &o->directories[o->ndirectories];

		if (path_repeats(seen, paths, i, diag))
			continue;
		o->ndirectories++;
		if (!directory_open(d, paths[i], diag))
			return false;
		*logs += d->nlogs;
	}
	return true;
}

bool directories_open(struct opened *o, const char *const *paths, unsigned n, struct diag *diag)
{
	struct stat *seen = calloc(n + 1, sizeof *seen);
	size_t logs = 0;
	bool good;

	o->directories = calloc(n + 1, sizeof *o->directories);
	if (!o->directories || !seen) {
		free(seen);
		return no_memory(diag);
	}
	good = paths_open(o, seen, paths, n, &logs, diag);
	free(seen);
	if (!good)
		return false;
	if (logs > MAX_LOGS) {
		diag_error(diag, DIAG_NOWHERE,
			   "%zu logs are more than a trace can have; give fewer directories", logs);
		return false;
	}
	o->logs = calloc(logs + 1, sizeof *o->logs);
	o->threads = calloc(logs + 1, sizeof *o->threads);
	o->processes = calloc(n + 1, sizeof *o->processes);
	return (o->logs && o->threads && o->processes) || no_memory(diag);
}
