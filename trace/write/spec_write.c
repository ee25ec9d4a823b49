#include "trace/write/spec_write.h"
#include "base/file.h"
#include <fcntl.h>
#include <unistd.h>

static bool text_write(int fd, const char *text, size_t size)
{
	size_t first = size > 0;

	return lseek(fd, (off_t)first, SEEK_SET) >= 0 &&
	       file_write_all(fd, text + first, size - first) && lseek(fd, 0, SEEK_SET) >= 0 &&
	       file_write_all(fd, text, first);
}

bool spec_write(const char *path, const void *text, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool good = fd >= 0 && text_write(fd, text, size);

	return !(fd >= 0 && close(fd) != 0) && good;
}
