#include "cli/record/program.h"
#include "base/array.h"
#include "recorder/obstacles.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static bool runs(const char *path, int *error)
{
	struct stat st;

	if (stat(path, &st) != 0)
		*error = errno;
	else if (S_ISDIR(st.st_mode) || access(path, X_OK) != 0)
		*error = EACCES;
	else
		return true;
	return false;
}

/* Keeps looking behind a file that may not be run, as execvp() does. */
static char *path_search(const char *name, const char *path, int *error)
{
	int denied = 0;

	for (;;) {
		size_t n = strcspn(path, ":");
		char *file = text_format("%.*s%s%s", (int)n, path, n ? "/" : "", name);

		if (runs(file, error))
			return file;
		if (*error == EACCES)
			denied = EACCES;
		free(file);
		if (!path[n])
			break;
		path += n + 1;
	}
	*error = denied ? denied : ENOENT;
	return NULL;
}

static char *file_find(const char *name, int *error)
{
	const char *path = getenv("PATH");

	*error = ENOENT;
	if (!*name)
		return NULL;
	if (strchr(name, '/'))
		return runs(name, error) ? text_format("%s", name) : NULL;
	return path_search(name, path ? path : "/bin:/usr/bin", error);
}

/* Whether it gets other rights than who starts it; then the loader heeds no LD_PRELOAD. */
static bool rights_change(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	if ((st.st_mode & S_ISUID && st.st_uid != getuid()) ||
	    (st.st_mode & S_ISGID && st.st_gid != getgid()))
		return true;
	return getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
}

int program_find(struct recorded_program *p, const char *name)
{
	int error;

	*p = (struct recorded_program){.path = file_find(name, &error)};
	if (!p->path)
		return error;
	image_look(&p->image, AT_FDCWD, p->path);
	p->others_rights = rights_change(p->path);
	return 0;
}

void program_clear(struct recorded_program *p)
{
	free(p->path);
}

int program_status(int error)
{
	return error == ENOENT || error == ENOTDIR ? PROGRAM_NOT_FOUND : PROGRAM_CANNOT;
}

const char *program_obstacle(const struct recorded_program *p)
{
	return obstacle_text(&p->image, p->others_rights);
}
