/*
 * Tells the runtime that libraries were loaded or unloaded, so that addresses in them get their
 * names. dlopen() looks at where it is called from: a library that is named without a slash is
 * searched for in the folders that the caller's file names. There our wrapper must not be the
 * caller, and jumps; the next look at the modules comes with the next call here, or at the end.
 */
#include "probes/follow_exec/jump.h"
#include "runtime/glimpse.h"
#include <dlfcn.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static void *(*real_dlopen)(const char *, int);
static int (*real_dlclose)(void *);

__attribute__((constructor(101))) static void modules_prepare(void)
{
	if (real_dlopen)
		return;
	real_dlclose = dlsym(RTLD_NEXT, "dlclose");
	real_dlopen = dlsym(RTLD_NEXT, "dlopen");
}

/* Whether the caller's place matters to dlopen(): it searches, or replaces $ORIGIN. */
static int is_searched(const char *file)
{
	return file && (!strchr(file, '/') || strchr(file, '$'));
}

static __attribute__((noinline)) void *open_and_look(const char *file, int mode)
{
	void *handle = real_dlopen(file, mode);

	glimpse_modules_changed();
	return handle;
}

JUMPS_BEGIN

EXPORT void *dlopen(const char *file, int mode)
{
	modules_prepare();
	if (is_searched(file))
		JUMP real_dlopen(file, mode);
	JUMP open_and_look(file, mode);
}

JUMPS_END

EXPORT int dlclose(void *handle)
{
	int result;

	modules_prepare();
	glimpse_modules_changed();
	result = real_dlclose(handle);
	glimpse_modules_changed();
	return result;
}
