#include "base/path.h"
#include "base/array.h"
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

size_t path_length(const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	return length;
}

char *path_copy(const char *path)
{
	return text_format("%.*s", (int)path_length(path), path);
}

char *path_name(const char *path)
{
	size_t end = path_length(path), start = end;

	while (start > 0 && path[start - 1] != '/')
		start--;
	return start == end ? path_copy(path)
			    : text_format("%.*s", (int)(end - start), path + start);
}

const char *path_own_folder(void)
{
	static char folder[PATH_MAX];
	ssize_t n;

	if (folder[0])
		return folder;
	n = readlink("/proc/self/exe", folder, sizeof folder - 1);
	while (n > 0 && folder[n - 1] != '/')
		n--;
	folder[n > 0 ? n - 1 : 0] = '\0';
	return folder;
}

char *path_installed(const char *beside, const char *installed, const char *name)
{
	const char *own = path_own_folder();
	char *paths[] = {
	    text_format("%s/%s", own, name),
	    text_format("%s/../%s", own, name),
	    text_format("%s/%s/%s", own, beside, name),
	    text_format("%s/%s", installed, name),
	};
	char *found = NULL;

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		if (!found && access(paths[i], R_OK) == 0)
			found = paths[i];
		else
			free(paths[i]);
	}
	return found;
}
