#include "recorder/samples/stack_log.h"
#include "recorder/observed.h"
#include "recorder/samples/stack_numbers.h"
#include "samples_glimpse.h"

struct stack_owner {
	uint32_t pid, tid;
	int64_t time;
};

/* A new node of the tree of stacks. If the thread is not known yet, its process' first one logs. */
static void node_log(void *context, uint32_t number, uint32_t caller, uint64_t address)
{
	const struct stack_owner *w = context;
	struct observed *o = observed_find(w->tid);

	observed_select(o ? o : observed_find(w->pid));
	SampleFrame_StampAt((uint64_t)w->time, number, caller, (const void *)(uintptr_t)address);
	observed_select(NULL);
}

uint32_t stack_frames_log(const struct space *space, uint32_t tid, int64_t time,
			  uint64_t frames[UNWIND_MOST + 1], unsigned n, bool whole)
{
	struct stack_owner w = {space_identity(space).pid, tid, time};

	if (!stack_numbers_left(UNWIND_MOST + 1))
		return 0;
	if (!whole)
		frames[n++] = 0;
	return stack_number(space_number(space), tid, frames, n, node_log, &w);
}

uint32_t stack_log(uint32_t pid, uint32_t tid, int64_t time, const struct stack_copy *copy)
{
	struct space *space = space_at(pid, time);
	uint64_t frames[UNWIND_MOST + 1];
	bool whole;
	unsigned n;

	/* without a number there is nothing to unwind for */
	if (!stack_numbers_left(UNWIND_MOST + 1))
		return 0;
	n = unwind(space, copy, frames, &whole);
	return stack_frames_log(space, tid, time, frames, n, whole);
}
