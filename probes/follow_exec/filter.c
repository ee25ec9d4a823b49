/*
 * The functions that install a filter of system calls. Which calls it allows is not known: logging
 * ends before, as any of ours might end the program, and goes on if the filter is refused.
 */
#include "probes/follow_exec/filter.h"
#include "probes/follow_exec/any_call.h"
#include "runtime/glimpse.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/prctl.h>

#define EXPORT __attribute__((visibility("default")))

/* As <linux/seccomp.h> has them, which compilers for musl do not find. */
enum { MODE_STRICT = 1, MODE_FILTER = 2 };
enum { SET_MODE_STRICT = 0, SET_MODE_FILTER = 1 };
enum { FLAG_NEW_LISTENER = 8 };

static int (*real_prctl)(int, unsigned long, unsigned long, unsigned long, unsigned long);

__attribute__((constructor(101))) static void filter_prepare(void)
{
	if (!real_prctl)
		real_prctl = dlsym(RTLD_NEXT, "prctl");
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

/* It takes more arguments than its callers may give: as many as the system call may have. */
int filter_prctl(int option, unsigned long mode, unsigned long filter, unsigned long fourth,
		 unsigned long fifth) __asm__("prctl");

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

/*
 * A result above 0 is a descriptor, or the thread that cannot have the filter of the calling one.
 */
static bool has_installed(long flags, long result)
{
	return result == 0 || (result > 0 && flags & FLAG_NEW_LISTENER);
}

long seccomp_call(long number, long operation, long flags, long filter, long d, long e, long f)
{
	bool installs = operation == SET_MODE_STRICT || (operation == SET_MODE_FILTER && filter);
	long result;

	if (installs)
		filter_begin();
	result = any_call_next(number, operation, flags, filter, d, e, f);
	if (installs)
		filter_end(has_installed(flags, result));
	return result;
}
