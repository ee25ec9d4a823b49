#include "recorder/live_process/live_calls.h"
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALL(name, kind) \
	{ \
		SYS_##name, #name, kind \
	}

static const struct live_call_kind calls[] = {
    CALL(futex, LIVE_FUTEX),
    CALL(read, LIVE_DESCRIPTOR),
    CALL(readv, LIVE_DESCRIPTOR),
    CALL(pread64, LIVE_DESCRIPTOR),
    CALL(write, LIVE_DESCRIPTOR),
    CALL(writev, LIVE_DESCRIPTOR),
    CALL(pwrite64, LIVE_DESCRIPTOR),
    CALL(fsync, LIVE_DESCRIPTOR),
    CALL(fdatasync, LIVE_DESCRIPTOR),
    CALL(flock, LIVE_DESCRIPTOR),
    CALL(fcntl, LIVE_DESCRIPTOR),
    CALL(ioctl, LIVE_DESCRIPTOR),
    CALL(accept, LIVE_DESCRIPTOR),
    CALL(accept4, LIVE_DESCRIPTOR),
    CALL(connect, LIVE_DESCRIPTOR),
    CALL(recvfrom, LIVE_DESCRIPTOR),
    CALL(recvmsg, LIVE_DESCRIPTOR),
    CALL(recvmmsg, LIVE_DESCRIPTOR),
    CALL(sendto, LIVE_DESCRIPTOR),
    CALL(sendmsg, LIVE_DESCRIPTOR),
    CALL(sendmmsg, LIVE_DESCRIPTOR),
    CALL(splice, LIVE_DESCRIPTOR),
    CALL(epoll_pwait, LIVE_POLL),
#ifdef SYS_epoll_pwait2
    CALL(epoll_pwait2, LIVE_POLL),
#endif
    CALL(ppoll, LIVE_POLL),
    CALL(pselect6, LIVE_POLL),
    CALL(io_getevents, LIVE_POLL),
    CALL(io_uring_enter, LIVE_POLL),
#ifdef SYS_poll
    CALL(poll, LIVE_POLL),
    CALL(select, LIVE_POLL),
    CALL(epoll_wait, LIVE_POLL),
    CALL(pause, LIVE_SIGNAL),
    CALL(open, LIVE_CALL),
    CALL(vfork, LIVE_CHILD),
#endif
    CALL(openat, LIVE_CALL),
    CALL(clone, LIVE_CHILD),
    CALL(clone3, LIVE_CHILD),
    CALL(nanosleep, LIVE_SLEEP),
    CALL(clock_nanosleep, LIVE_SLEEP),
    CALL(wait4, LIVE_CHILD),
    CALL(waitid, LIVE_CHILD),
    CALL(rt_sigtimedwait, LIVE_SIGNAL),
    CALL(rt_sigsuspend, LIVE_SIGNAL),
    CALL(msgrcv, LIVE_CALL),
    CALL(msgsnd, LIVE_CALL),
    CALL(mq_timedreceive, LIVE_DESCRIPTOR),
    CALL(mq_timedsend, LIVE_DESCRIPTOR),
    CALL(semop, LIVE_CALL),
    CALL(semtimedop, LIVE_CALL),
    CALL(restart_syscall, LIVE_CALL),
    CALL(mmap, LIVE_CALL),
    CALL(munmap, LIVE_CALL),
    CALL(sync, LIVE_CALL),
};

const struct live_call_kind *live_call_kind(long number)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

char *live_descriptor(pid_t pid, int descriptor)
{
	char path[64], target[512];
	ssize_t n;

	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, descriptor);
	n = readlink(path, target, sizeof target - 1);
	return n > 0 ? text_format("%.*s", (int)n, target) : NULL;
}
