/*
 * Both calls are jumps: a child may go on where its parent's frames are not. System calls of no
 * interest get one comparison for each kind.
 */
#include "probes/follow_exec/any_call.h"
#include "probes/follow_exec/jump.h"
#include <dlfcn.h>
#include <sys/syscall.h>

system_call *any_call_next;

__attribute__((constructor(101))) static void any_call_prepare(void)
{
	if (!any_call_next)
		any_call_next = dlsym(RTLD_NEXT, "syscall");
}

JUMPS_BEGIN

__attribute__((visibility("default"))) long any_call(long number, long a, long b, long c, long d,
						     long e, long f) __asm__("syscall");

long any_call(long number, long a, long b, long c, long d, long e, long f)
{
	if (__builtin_expect(!any_call_next, 0))
		any_call_prepare();
	if (__builtin_expect(number == SYS_seccomp, 0))
		JUMP seccomp_call(number, a, b, c, d, e, f);
	if (__builtin_expect(is_fork_call(number, a, b), 0))
		JUMP fork_call(number, a, b, c, d, e, f);
	JUMP any_call_next(number, a, b, c, d, e, f);
}

JUMPS_END
