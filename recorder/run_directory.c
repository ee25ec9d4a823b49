#include "recorder/run_directory.h"
#include "base/array.h"
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIBLINGS = 10000 };

static bool is_empty(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool empty = dir != NULL;

	while (empty && (entry = readdir(dir)))
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	if (dir)
		closedir(dir);
	return empty;
}

/* What is in another user's directory may be changed by that user. */
static bool is_usable(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       is_empty(path);
}

static bool claim(const char *name)
{
	if (mkdir(name, 0700) == 0)
		return true;
	if (errno != EEXIST)
		return false;
	errno = EEXIST;
	return is_usable(name) || (errno = EEXIST, false);
}

static char *name_first(const char *wanted, const char *program)
{
	const char *slash = strrchr(program, '/');
	char *name;
	size_t n;

	if (!wanted || !*wanted)
		return text_format("glimpse.%s.%ld", slash ? slash + 1 : program, (long)getpid());
	name = text_format("%s", wanted);
	for (n = strlen(name); n > 1 && name[n - 1] == '/';)
		name[--n] = '\0';
	return name;
}

bool run_directory_make(struct run_directory *d, const char *wanted, const char *program,
			bool *notice)
{
	char *first = name_first(wanted, program);
	bool good;

	*d = (struct run_directory){.name = text_format("%s", first)};
	for (int n = 1; !(good = claim(d->name)) && errno == EEXIST && n < SIBLINGS; n++) {
		free(d->name);
		d->name = text_format("%s.%d", first, n);
	}
	*notice = good && strcmp(first, d->name) != 0;
	free(first);
	if (good)
		d->path = realpath(d->name, NULL);
	return good && d->path;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	remove(path);
	return 0;
}

void run_directory_drop(const struct run_directory *d)
{
	nftw(d->path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void run_directory_free(struct run_directory *d)
{
	free(d->name);
	free(d->path);
}
