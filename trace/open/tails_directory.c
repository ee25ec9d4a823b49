#include "trace/open/tails_directory.h"
#include "base/array.h"
#include "base/file.h"
#include "base/path.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_MOST 4096

struct tails_location {
	uint64_t device, inode;
	uid_t owner;
	char path[PATH_MOST];
};

/* Reads the file: "DEVICE INODE PATH\n". */
static bool place_read(struct tails_location *p, int fd)
{
	char text[PATH_MOST + 64];
	ssize_t n = read(fd, text, sizeof text - 1);
	struct stat status;
	int start = 0;

	if (n <= 0 || text[n - 1] != '\n' || fstat(fd, &status))
		return false;
	text[n - 1] = '\0';
	if (strlen(text) != (size_t)n - 1 ||
	    sscanf(text, "%" SCNu64 " %" SCNu64 " %n", &p->device, &p->inode, &start) != 2 ||
	    !start || text[start] != '/' || strlen(text + start) >= sizeof p->path)
		return false;
	strcpy(p->path, text + start);
	p->owner = status.st_uid;
	return true;
}

/* Returns whether the directory is the run's: nobody else's tails are read in its name. */
static bool place_is_own(const struct tails_location *p)
{
	struct stat status;

	return !strncmp(strrchr(p->path, '/'), "/glimpse.", 9) && lstat(p->path, &status) == 0 &&
	       S_ISDIR(status.st_mode) && status.st_dev == p->device && status.st_ino == p->inode &&
	       status.st_uid == p->owner && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

char *tails_directory_find(const char *directory, struct diag *diag)
{
	char *path = text_format("%s/tails", directory), *found = NULL;
	int fd = file_open(path, O_RDONLY);
	struct tails_location p;

	if (fd >= 0 && !place_read(&p, fd))
		diag_warning(diag, "log", DIAG_NOWHERE, "%s: names no directory for the tails",
			     path);
	else if (fd >= 0 && !place_is_own(&p))
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: the newest events were in %s, which is gone or is not this run's",
			     path, p.path);
	else if (fd >= 0)
		found = text_format("%s", p.path);
	if (fd >= 0)
		close(fd);
	free(path);
	return found;
}

char *tails_directory_path(const char *tails, const char *directory, const char *name)
{
	bool is_process = strcmp(name, "process") == 0, is_tail = strncmp(name, "tail.", 5) == 0;
	char *mapped = tails && (is_process || is_tail) ? text_format("%s/%s", tails, name) : NULL;

	if (mapped && (is_tail || access(mapped, F_OK) == 0))
		return mapped;
	free(mapped);
	return text_format("%.*s/%s", (int)path_length(directory), directory, name);
}

void tails_directory_allow(struct confinement *c, enum confine_use use, const char *directory)
{
	struct diag quiet = {.out = NULL};
	char *tails = tails_directory_find(directory, &quiet);

	if (tails)
		confine_allow(c, use, tails);
	free(tails);
}
