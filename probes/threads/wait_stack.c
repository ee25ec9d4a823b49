#include "probes/threads/lock_way.h"
#include "probes/threads/threads.h"
#include "probes/unwind/stacks.h"

#define FIRST_NUMBER (UINT32_C(1) << 30) /* see threads.spec */

__attribute__((constructor(101))) static void wait_stacks_load(void)
{
	stacks_first(FIRST_NUMBER);
	stacks_mark_cuts();
}

/* An address within the call, so that it has the line of the call. */
static void frame_log(uint64_t time, uint32_t number, uint32_t parent, uintptr_t pc)
{
	WaitFrame_StampAt(time, number, parent, (const void *)(pc ? pc - 1 : 0));
}

/* Before the constructors the numbers would be those of another probe. */
static bool stacks_logged(void)
{
	return process_id && !glimpse_paused() && !glimpse_off(&threads_glimpse, WAIT_STACK_EVENT);
}

uint32_t wait_stack_number(uint64_t now)
{
	if (__builtin_expect(lock_way == LOCKS_COUNTED, 0))
		lock_count_waits(now);
	return stacks_logged() ? stack_number(STACK_CALLER, now, frame_log) : 0;
}

void wait_stack(uint64_t now)
{
	if (__builtin_expect(lock_way == LOCKS_COUNTED, 0))
		lock_count_waits(now);
	if (!stacks_logged())
		return;
	WaitStack_StampAt(now, stack_number(STACK_CALLER, now, frame_log));
}

/* What is remembered of a module's code ends with it. */
WRAP_EXPORT int dlclose(void *handle)
{
	uint64_t before;
	int result;

	if (wrap_quiet())
		return REAL(dlclose)(handle);
	before = stacks_unloading();
	result = REAL(dlclose)(handle);
	stacks_unloaded(before);
	return result;
}
