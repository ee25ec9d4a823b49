/* syscall() of libc: whoever wraps a system call looks at it here, and there is one wrapper. */
#ifndef GLIMPSE_PROBES_FOLLOW_EXEC_ANY_CALL_H
#define GLIMPSE_PROBES_FOLLOW_EXEC_ANY_CALL_H

/* As libc's syscall(), which has `...` in its place: with fixed arguments a call can be a jump. */
typedef long system_call(long number, long a, long b, long c, long d, long e, long f);

/* The next syscall() in line; known when a wrapper of a call below runs. */
extern system_call *any_call_next;

/* Make a call that forks, and SYS_seccomp, as libc's syscall() does. */
system_call fork_call, seccomp_call;
/*
 * Returns whether the call makes a process with a copy of this one's memory, which goes on where it
 * is.
 */
int is_fork_call(long number, long a, long b);

#endif
