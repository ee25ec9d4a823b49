/*
 * Calls that fork without fork(): their children, too, log to a directory of their own. What shares
 * the parent's memory is left alone. A call that nothing stands before, in assembly, is found by
 * the runtime itself, with the loss of some events (runtime/fork.h).
 */
#include "probes/follow_exec/any_call.h"
#include "runtime/glimpse.h"
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static struct {
	pid_t (*fork)(void);
	int (*clone)(int (*)(void *), void *, int, void *, ...);
} real;

__attribute__((constructor(101))) static void fork_prepare(void)
{
	if (real.clone)
		return;
	real.fork = dlsym(RTLD_NEXT, "_Fork");
	real.clone = dlsym(RTLD_NEXT, "clone");
}

/* glibc before 2.34 has no _Fork(). */
EXPORT pid_t _Fork(void)
{
	pid_t child;

	fork_prepare();
	if (!real.fork) {
		errno = ENOSYS;
		return -1;
	}
	glimpse_fork_before();
	child = real.fork();
	glimpse_fork_after(child == 0);
	return child;
}

/* ---- clone() --------------------------------------------------------------------------------- */

struct clone_start {
	int (*function)(void *);
	void *argument;
};

/* The child has a copy of the memory in which `start` is. */
static int clone_starts(void *start)
{
	struct clone_start s = *(struct clone_start *)start;

	glimpse_fork_after(1);
	return s.function(s.argument);
}

EXPORT int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	struct clone_start s = {function, argument};
	void *parent, *tls, *child;
	va_list rest;
	int pid;

	va_start(rest, argument);
	parent = va_arg(rest, void *);
	tls = va_arg(rest, void *);
	child = va_arg(rest, void *);
	va_end(rest);
	fork_prepare();
	if (!function || !stack || (flags & CLONE_VM))
		return real.clone(function, stack, flags, argument, parent, tls, child);
	glimpse_fork_before();
	pid = real.clone(clone_starts, stack, flags, &s, parent, tls, child);
	glimpse_fork_after(0);
	return pid;
}

/* ---- syscall() ------------------------------------------------------------------------------- */

/* How struct clone_args of clone3(2) begins; musl comes without the kernel's headers. */
struct clone_how {
	uint64_t flags, pidfd, child, parent, signal, stack;
};

int is_fork_call(long number, long a, long b)
{
	if (number == SYS_clone)
		return !(a & CLONE_VM) && !b;
#ifdef SYS_fork
	if (number == SYS_fork)
		return 1;
#endif
#ifdef SYS_clone3
	if (number == SYS_clone3 && a && (size_t)b >= sizeof(struct clone_how)) {
		const struct clone_how *how = (const struct clone_how *)a;

		return !(how->flags & CLONE_VM) && !how->stack;
	}
#endif
	return 0;
}

long fork_call(long number, long a, long b, long c, long d, long e, long f)
{
	long child;

	glimpse_fork_before();
	child = any_call_next(number, a, b, c, d, e, f);
	glimpse_fork_after(child == 0);
	return child;
}
