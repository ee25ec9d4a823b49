/*
 * A library to preload: a disk on which each pread() takes SLOW_DISK_US microseconds longer. It sleeps without the C
 * library, whose functions may be wrapped.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

typedef ssize_t (*reading)(int fd, void *to, size_t n, off_t at);

/* Sleeps end when they are to end: new threads take this over. */
static void __attribute__((constructor)) begin(void)
{
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

ssize_t pread(int fd, void *to, size_t n, off_t at)
{
	static reading next;
	const char *us = getenv("SLOW_DISK_US");
	struct timespec pause = {.tv_nsec = us ? atol(us) * 1000 : 0};

	if (!next)
		next = (reading)dlsym(RTLD_NEXT, "pread");
	syscall(SYS_nanosleep, &pause, NULL);
	return next(fd, to, n, at);
}
