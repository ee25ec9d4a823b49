#include "base/file_open.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Closes what is no regular file, and returns -1 with errno EINVAL. */
static int regular_only(int fd)
{
	struct stat status;

	if (fd < 0 || (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

/* To open a device may have effects: what is none is looked at before and after. */
int file_open(const char *path, int flags)
{
	struct stat status;

	if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	return regular_only(open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600));
}

int file_open_given(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

const char *file_why(int error)
{
	switch (error) {
	case ELOOP:
		return "a symbolic link, which is not followed; put the file itself there";
	case EINVAL:
		return "not a regular file; remove it";
	case EFBIG:
		return "it has more holes than a program leaves; cut it off where its data ends, "
		       "with truncate -s";
	case EMLINK:
		return "the file has another name, too (a hard link); remove this one";
	default:
		return strerror(error);
	}
}

FILE *file_make_private(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !out)
		close(fd);
	return out;
}
