#include "base/user_cache.h"
#include "base/array.h"
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* In a home of somebody else (sudo) a folder of root's would be in the way of its owner. */
static bool is_own(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

char *user_cache_make(void)
{
	const char *given = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *around, *folder;

	if (given && *given == '/')
		around = text_format("%s", given);
	else if (home && *home == '/' && is_own(home))
		around = text_format("%s/.cache", home);
	else
		return NULL;
	mkdir(around, 0700);
	folder = text_format("%s/glimpse", around);
	if (is_own(around))
		mkdir(folder, 0700);
	free(around);
	if (is_own(folder))
		return folder;
	free(folder);
	return NULL;
}
