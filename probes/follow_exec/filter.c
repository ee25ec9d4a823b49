/*
 * The functions that install a filter of system calls. Which calls it allows is not known: logging ends
 * before, as any of ours might end the program, and goes on if the filter is refused.
 */
#include "probes/follow_exec/filter.h"
#include "runtime/glimpse.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define EXPORT __attribute__((visibility("default")))

/* As <linux/seccomp.h> has them, which compilers for musl do not find. */
enum { MODE_STRICT = 1, MODE_FILTER = 2 };
enum { SET_MODE_STRICT = 0, SET_MODE_FILTER = 1 };
enum { FLAG_NEW_LISTENER = 8 };

static int (*real_prctl)(int, unsigned long, unsigned long, unsigned long, unsigned long);
static long (*real_syscall)(long, long, long, long, long, long, long);

__attribute__((constructor(101))) static void filter_prepare(void)
{
	if (real_syscall)
		return;
	real_prctl = dlsym(RTLD_NEXT, "prctl");
	real_syscall = dlsym(RTLD_NEXT, "syscall");
}

/* errno is kept. */
static void filter_begin(void)
{
	int error = errno;

	if (glimpse_filtered())
		return;
	if (glimpse_samples_pause)
		glimpse_samples_pause(1);
	glimpse_filter_begin();
	errno = error;
}

static void filter_end(bool installed)
{
	int error = errno;

	if (glimpse_filtered())
		return;
	glimpse_filter_end(installed);
	if (!installed && glimpse_samples_pause)
		glimpse_samples_pause(0);
	errno = error;
}

/* Both take more arguments than their callers may give: as many as the system call may have. */
int filter_prctl(int option, unsigned long mode, unsigned long filter, unsigned long fourth,
		 unsigned long fifth) __asm__("prctl");
long filter_syscall(long number, long a, long b, long c, long d, long e, long f) __asm__("syscall");

EXPORT int filter_prctl(int option, unsigned long mode, unsigned long filter, unsigned long fourth,
			unsigned long fifth)
{
	bool installs =
	    option == PR_SET_SECCOMP && (mode == MODE_STRICT || (mode == MODE_FILTER && filter));
	int result;

	filter_prepare();
	if (installs)
		filter_begin();
	result = real_prctl(option, mode, filter, fourth, fifth);
	if (installs)
		filter_end(result == 0);
	return result;
}

/* A result above 0 is a descriptor, or the thread that cannot have the filter of the calling one. */
static bool has_installed(long flags, long result)
{
	return result == 0 || (result > 0 && flags & FLAG_NEW_LISTENER);
}

static __attribute__((noinline)) long seccomp_call(long number, long operation, long flags,
						   long filter, long d, long e, long f)
{
	bool installs = operation == SET_MODE_STRICT || (operation == SET_MODE_FILTER && filter);
	long result;

	if (installs)
		filter_begin();
	result = real_syscall(number, operation, flags, filter, d, e, f);
	if (installs)
		filter_end(has_installed(flags, result));
	return result;
}

/* Jumps, at any level of optimisation: a child of vfork() or clone() must not return through here. */
#ifdef __clang__
#define JUMP __attribute__((musttail)) return
#else
#define JUMP return
#pragma GCC push_options
#pragma GCC optimize("O2", "no-stack-protector")
#endif

EXPORT long filter_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	if (__builtin_expect(!real_syscall, 0))
		filter_prepare();
	if (__builtin_expect(number == SYS_seccomp, 0))
		JUMP seccomp_call(number, a, b, c, d, e, f);
	JUMP real_syscall(number, a, b, c, d, e, f);
}

#ifndef __clang__
#pragma GCC pop_options
#endif
