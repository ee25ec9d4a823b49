/*
 * Files that a probe itself reads in the observed process: by the system calls, since the functions
 * of the C library may be another probe's, which would log that as the program's input.
 */
#ifndef GLIMPSE_PROBES_RAW_IO_H
#define GLIMPSE_PROBES_RAW_IO_H

#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As openat(), for reading; the descriptor is closed on exec. More flags may be given. */
static inline int raw_open(int directory, const char *path, int flags)
{
	return (int)syscall(SYS_openat, directory, path, O_RDONLY | O_CLOEXEC | flags, 0);
}

/* As read(), pread() and close(). */
static inline ssize_t raw_read(int fd, void *to, size_t size)
{
	return syscall(SYS_read, fd, to, size);
}

static inline ssize_t raw_pread(int fd, void *to, size_t size, off_t offset)
{
#ifdef __LP64__
	return syscall(SYS_pread64, fd, to, size, offset);
#else
	return pread(fd, to, size, offset);     /* how an offset is passed differs */
#endif
}

static inline void raw_close(int fd)
{
	syscall(SYS_close, fd);
}

#endif
