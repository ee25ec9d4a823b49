/*
 * The functions of the C library that take descriptors, as those need them who define them anew:
 * what the headers of some C library do not declare, and declare differently.
 */
#ifndef GLIMPSE_PROBES_DESCRIPTOR_CALLS_H
#define GLIMPSE_PROBES_DESCRIPTOR_CALLS_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* musl has no declaration of these two. */
int close_range(unsigned int first, unsigned int last, int flags);
void closefrom(int first);

#ifndef __SOCKADDR_ARG
#define __SOCKADDR_ARG struct sockaddr *restrict
#define __CONST_SOCKADDR_ARG const struct sockaddr *
#endif

#ifdef __GLIBC__
#define MMSG_FLAGS int
#else
#define MMSG_FLAGS unsigned int
#endif

#ifdef __GLIBC__
ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t size, off64_t at, size_t room);
ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *restrict to, size_t size, size_t room, int flags,
		       __SOCKADDR_ARG from, socklen_t *restrict length);
int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		const sigset_t *signals, size_t room);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);
#endif

/* The descriptor of a stream; -1: it is in memory. errno stays, which fileno() sets then. */
static inline int stream_descriptor(FILE *file)
{
	int error = errno, fd = fileno(file);

	errno = error;
	return fd;
}

/* A bound of close_range(), as a descriptor. */
static inline int descriptor_bound(unsigned int fd)
{
	return fd > INT_MAX ? INT_MAX : (int)fd;
}

/* The first descriptor that poll() found ready; -1: none. */
static inline int first_ready(const struct pollfd *fds, nfds_t n)
{
	for (nfds_t i = 0; i < n; i++)
		if (fds[i].revents)
			return fds[i].fd;
	return -1;
}

/* The first descriptor in the sets of select(); -1: none. */
static inline int first_set(int n, const fd_set *in, const fd_set *out, const fd_set *other)
{
	/* A program may have sets of more than FD_SETSIZE. */
	const unsigned long *sets[] = {(const void *)in, (const void *)out, (const void *)other};

	for (int fd = 0; fd < n; fd++)
		for (int i = 0; i < 3; i++)
			if (sets[i] && sets[i][fd / NFDBITS] & 1ul << fd % NFDBITS)
				return fd;
	return -1;
}

#endif
