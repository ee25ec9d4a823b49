#include "runtime/descriptor.h"
#include "runtime/system.h"
#include <errno.h>

int gl_descriptor_open(int directory, const char *name, int flags)
{
	int fd;

	do
		fd = system_openat(directory, name, flags | O_CLOEXEC, 0600);
	while (fd < 0 && errno == EINTR);
	return fd;
}

void gl_descriptor_close(int fd)
{
	int error = errno;

	system_close(fd);
	errno = error;
}

/* Programs may rely on the lowest numbers. */
int gl_descriptor_raise(int fd)
{
	struct rlimit limit = { 1024, 1024 };
	int high, least;

	system_getrlimit(RLIMIT_NOFILE, &limit);
	least = limit.rlim_cur > 1024 ? 960 : (int)limit.rlim_cur - 4;
	high = system_fcntl(fd, F_DUPFD_CLOEXEC,
			    least > GL_DESCRIPTOR_LOW ? least : GL_DESCRIPTOR_LOW);
	if (high < 0 && fd >= GL_DESCRIPTOR_LOW)
		return fd;
	gl_descriptor_close(fd);
	return high;
}
