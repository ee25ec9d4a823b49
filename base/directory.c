#include "base/directory.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void remove_within(int parent, const char *path)
{
	int fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    unlinkat(fd, entry->d_name, 0) != 0 && errno == EISDIR)
			remove_within(fd, entry->d_name);
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	unlinkat(parent, path, AT_REMOVEDIR);
}

void directory_remove(const char *path)
{
	remove_within(AT_FDCWD, path);
}
