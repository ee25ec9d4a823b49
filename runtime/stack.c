#include "runtime/stack.h"
#include "runtime/glimpse.h"
#include "runtime/system.h"
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>

#define STACK_MOST (8u << 20)
#define SLACK 64 /* arguments that are passed on the stack */

/*
 * Returns an address at the top of the stack that the thread was started with: the kernel puts
 * random bytes there, and glibc a thread's own data.
 */
static uintptr_t stack_top(void)
{
	return system_gettid() == system_getpid() ? getauxval(AT_RANDOM)
						  : (uintptr_t)pthread_self();
}

/*
 * A handler of a marked event is called, by the kernel or by ThreadSanitizer, from below the mark
 * on the same stack, or runs on the alternate one. So a frame of the same stack that is not below
 * the mark is none of the handler's. Of other stacks, such as those of coroutines, nothing is
 * known: a handler may have switched to them, and back.
 */
bool gl_stack_left(uint32_t mark, uintptr_t pointer)
{
	bool not_below = (int32_t)((uint32_t)pointer - mark) >= -SLACK, alternate;
	uintptr_t top;
	stack_t other;

	if (mark == GLIMPSE_MARK || system_sigaltstack(NULL, &other))
		return false;
	alternate = !(other.ss_flags & SS_DISABLE) &&
		    mark - (uint32_t)(uintptr_t)other.ss_sp < other.ss_size;
	if (other.ss_flags & SS_ONSTACK)
		return alternate && not_below;
	if (!alternate && !not_below)
		return false;
	top = stack_top();
	return top - pointer < STACK_MOST && (alternate || (uint32_t)top - mark < STACK_MOST);
}
