#include "formats/strace_calls.h"
#include <stdlib.h>
#include <string.h>

static const char END[] = "the file or the other end", DEVICE[] = "the device",
		  FILES[] = "the file system", PEER[] = "the other end",
		  PROGRAM[] = "another program", CHILD[] = "the end of a process",
		  READY[] = "other programs, a timer or a signal", TIMER[] = "a timer or a signal";

/* In the order of their names. */
static const struct strace_call calls[] = {
    {"accept", "io", PROGRAM, CALL_NAMES_FD},
    {"accept4", "io", PROGRAM, CALL_NAMES_FD},
    {"access", "io", FILES, CALL_NAMES_PATH},
    {"bind", "work", NULL, CALL_NAMES_FD},
    {"chdir", "io", FILES, CALL_NAMES_PATH},
    {"chmod", "io", FILES, CALL_NAMES_PATH},
    {"clock_nanosleep", "wait", TIMER, CALL_NAMES_NOTHING},
    {"close", "io", FILES, CALL_NAMES_FD},
    {"connect", "io", PEER, CALL_NAMES_FD},
    {"copy_file_range", "io", END, CALL_NAMES_FD},
    {"creat", "io", FILES, CALL_OPENS},
    {"epoll_pwait", "wait", READY, CALL_NAMES_FD},
    {"epoll_pwait2", "wait", READY, CALL_NAMES_FD},
    {"epoll_wait", "wait", READY, CALL_NAMES_FD},
    {"execve", "io", FILES, CALL_NAMES_PATH},
    {"faccessat", "io", FILES, CALL_NAMES_PATH},
    {"faccessat2", "io", FILES, CALL_NAMES_PATH},
    {"fallocate", "io", FILES, CALL_NAMES_FD},
    {"fcntl", "work", NULL, CALL_NAMES_FD},
    {"fdatasync", "io", DEVICE, CALL_NAMES_FD},
    {"flock", "wait", PROGRAM, CALL_NAMES_FD},
    {"fstat", "io", FILES, CALL_NAMES_FD},
    {"fsync", "io", DEVICE, CALL_NAMES_FD},
    {"ftruncate", "io", FILES, CALL_NAMES_FD},
    /* the name of futex calls that wait: those that wake do not */
    {"futex wait", "wait", NULL, CALL_NAMES_NOTHING},
    {"getdents64", "io", FILES, CALL_NAMES_FD},
    {"io_getevents", "wait", DEVICE, CALL_NAMES_NOTHING},
    {"io_uring_enter", "io", END, CALL_NAMES_FD},
    {"ioctl", "io", DEVICE, CALL_NAMES_FD},
    {"listen", "work", NULL, CALL_NAMES_FD},
    {"lseek", "work", NULL, CALL_NAMES_FD},
    {"lstat", "io", FILES, CALL_NAMES_PATH},
    {"mkdir", "io", FILES, CALL_NAMES_PATH},
    {"mkdirat", "io", FILES, CALL_NAMES_PATH},
    {"msgrcv", "wait", PROGRAM, CALL_NAMES_NOTHING},
    {"msgsnd", "wait", PROGRAM, CALL_NAMES_NOTHING},
    {"msync", "io", DEVICE, CALL_NAMES_NOTHING},
    {"nanosleep", "wait", TIMER, CALL_NAMES_NOTHING},
    {"newfstatat", "io", FILES, CALL_NAMES_PATH},
    {"open", "io", FILES, CALL_OPENS},
    {"openat", "io", FILES, CALL_OPENS},
    {"openat2", "io", FILES, CALL_OPENS},
    {"pause", "wait", TIMER, CALL_NAMES_NOTHING},
    {"poll", "wait", READY, CALL_NAMES_NOTHING},
    {"ppoll", "wait", READY, CALL_NAMES_NOTHING},
    {"pread64", "io", END, CALL_NAMES_FD},
    {"preadv", "io", END, CALL_NAMES_FD},
    {"preadv2", "io", END, CALL_NAMES_FD},
    {"pselect6", "wait", READY, CALL_NAMES_NOTHING},
    {"pwrite64", "io", END, CALL_NAMES_FD},
    {"pwritev", "io", END, CALL_NAMES_FD},
    {"pwritev2", "io", END, CALL_NAMES_FD},
    {"read", "io", END, CALL_NAMES_FD},
    {"readlink", "io", FILES, CALL_NAMES_PATH},
    {"readlinkat", "io", FILES, CALL_NAMES_PATH},
    {"readv", "io", END, CALL_NAMES_FD},
    {"recvfrom", "io", PEER, CALL_NAMES_FD},
    {"recvmmsg", "io", PEER, CALL_NAMES_FD},
    {"recvmsg", "io", PEER, CALL_NAMES_FD},
    {"rename", "io", FILES, CALL_NAMES_PATH},
    {"renameat", "io", FILES, CALL_NAMES_PATH},
    {"renameat2", "io", FILES, CALL_NAMES_PATH},
    {"rmdir", "io", FILES, CALL_NAMES_PATH},
    {"rt_sigsuspend", "wait", TIMER, CALL_NAMES_NOTHING},
    {"rt_sigtimedwait", "wait", TIMER, CALL_NAMES_NOTHING},
    {"select", "wait", READY, CALL_NAMES_NOTHING},
    {"semop", "wait", PROGRAM, CALL_NAMES_NOTHING},
    {"semtimedop", "wait", PROGRAM, CALL_NAMES_NOTHING},
    {"sendfile", "io", END, CALL_NAMES_FD},
    {"sendmmsg", "io", PEER, CALL_NAMES_FD},
    {"sendmsg", "io", PEER, CALL_NAMES_FD},
    {"sendto", "io", PEER, CALL_NAMES_FD},
    {"shutdown", "io", PEER, CALL_NAMES_FD},
    {"splice", "io", END, CALL_NAMES_FD},
    {"stat", "io", FILES, CALL_NAMES_PATH},
    {"statx", "io", FILES, CALL_NAMES_PATH},
    {"sync", "io", DEVICE, CALL_NAMES_NOTHING},
    {"sync_file_range", "io", DEVICE, CALL_NAMES_FD},
    {"syncfs", "io", DEVICE, CALL_NAMES_FD},
    {"unlink", "io", FILES, CALL_NAMES_PATH},
    {"unlinkat", "io", FILES, CALL_NAMES_PATH},
    {"wait4", "wait", CHILD, CALL_NAMES_NOTHING},
    {"waitid", "wait", CHILD, CALL_NAMES_NOTHING},
    {"waitpid", "wait", CHILD, CALL_NAMES_NOTHING},
    {"write", "io", END, CALL_NAMES_FD},
    {"writev", "io", END, CALL_NAMES_FD},
};

static int by_name(const void *name, const void *call)
{
	return strcmp(name, ((const struct strace_call *)call)->name);
}

const struct strace_call *strace_call_named(const char *name)
{
	static const struct strace_call other = {"", "work", NULL, CALL_NAMES_NOTHING};
	const struct strace_call *call =
	    bsearch(name, calls, sizeof calls / sizeof *calls, sizeof *calls, by_name);

	return call ? call : &other;
}
