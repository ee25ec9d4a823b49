/*
 * The functions that end a process without its destructors: the run ends in order before, and
 * probes log which thread ends the process. They may run in signal handlers and in a child of
 * vfork(), which shares our memory and ends nothing.
 */
#include "runtime/glimpse.h"
#include "runtime/system.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

static void (*real_exit)(int);
static void (*real_abort)(void);
static pid_t process; /* whose memory this is */

static void process_note(void)
{
	if (!glimpse_filtered())
		process = system_getpid();
}

static bool process_is_ours(void)
{
	return !glimpse_filtered() && process == system_getpid();
}

static void logs_end(void)
{
	if (!process_is_ours())
		return;
	glimpse_process_ends();
	glimpse_close();
}

/* quick_exit() calls what was noted first at last. */
__attribute__((constructor(101))) static void exit_prepare(void)
{
	static struct glimpse_hook at_fork = {.call = process_note};

	real_exit = (void (*)(int))dlsym(RTLD_NEXT, "_exit");
	real_abort = (void (*)(void))dlsym(RTLD_NEXT, "abort");
	process_note();
	glimpse_at_fork(&at_fork);
	at_quick_exit(logs_end);
}

EXPORT __attribute__((noreturn)) void _exit(int status)
{
	logs_end();
	if (real_exit)
		real_exit(status);
	for (;;)
		SYSTEM_CALL(SYS_exit_group, status);
}

/* A handler of SIGABRT may still log. */
EXPORT __attribute__((noreturn)) void abort(void)
{
	if (process_is_ours())
		glimpse_process_ends();
	if (real_abort)
		real_abort();
	for (;;)
		SYSTEM_CALL(SYS_exit_group, 127);
}

EXPORT __attribute__((noreturn)) void _Exit(int status)
{
	_exit(status);
}
