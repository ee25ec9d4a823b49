#include "recorder/samples/blocked_calls.h"
#include "base/monotonic.h"
#include "probes/threads/futex_operations.h"
#include "recorder/live_process/live_memory.h"
#include "recorder/live_process/live_threads.h"
#include "recorder/samples/stack_log.h"
#include <string.h>
#include <sys/syscall.h>

enum { STACK = 16384 }; /* bytes of it that are read */

/* How the names of the probes' libraries begin. */
#define PROBES "libglimpse"

static const char *module_name(struct space *s, uint64_t pc)
{
	const char *path = space_module(s, pc), *name = path ? strrchr(path, '/') : NULL;

	return name ? name + 1 : "";
}

/* Whether code is of the C library or of the dynamic linker, which call no probe. */
static bool is_c_library(struct space *s, uint64_t pc)
{
	static const char *const names[] = {"libc.so", "libc-", "libc.musl", "ld-", "libpthread"};
	const char *name = module_name(s, pc);

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/*
 * Where probes are loaded, they log all waits but those that the C library makes itself. It makes
 * them in a function for its own locks alone, or, for the dynamic linker's lock, in one that waits
 * for mutexes: then no probe is on the stack. A library that makes system calls by instructions of
 * its own, such as OpenMP's, has a probe of its own.
 */
static bool is_logged(struct space *s, const uint64_t *frames, unsigned n, bool whole)
{
	if (!space_has_module(s, PROBES) || space_waits_inside(s, frames[0]))
		return false;
	if (!whole || !is_c_library(s, frames[0]))
		return true;
	for (unsigned i = 0; i < n; i++)
		if (strncmp(module_name(s, frames[i]), PROBES, strlen(PROBES)) == 0)
			return true;
	return false;
}

bool blocked_call_read(uint32_t pid, uint32_t tid, struct blocked_call *call)
{
	unsigned char stack[STACK];
	uint64_t frames[UNWIND_MOST + 1];
	int64_t now = monotonic_now();
	struct stack_copy copy;
	struct live_call c;
	struct space *space;
	bool whole;
	unsigned n;

	if (!live_call_read((pid_t)pid, (pid_t)tid, &c) || c.number != SYS_futex ||
	    !futex_operation_waits((int)c.arguments[1]) || c.arguments[3])
		return false;
	space = space_at(pid, now);
	if (!space_module(space, c.pc))
		return false;
	/* a function that needs its frame pointer ends the stack */
	copy = (struct stack_copy){.pc = c.pc, .sp = c.sp, .stack = stack};
	copy.size = live_memory_read((pid_t)pid, c.sp, stack, sizeof stack);
	n = unwind(space, &copy, frames, &whole);
	if (!n || is_logged(space, frames, n, whole))
		return false;
	*call = (struct blocked_call){c.arguments[0], c.pc,
				      stack_frames_log(space, tid, now, frames, n, whole)};
	return call->stack;
}
