/*
 * unwinds SAMPLES: unwinds this program's own call stack so often, as the recorder does with a sample's. Each sample was
 * interrupted at another depth. Fails if a frame is missing.
 */
#include "recorder/samples/spaces.h"
#include "recorder/samples/unwind.h"
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { DEPTH = 24, COPY = 8192 };

static struct stack_copy states[DEPTH];
static unsigned char stacks[DEPTH][COPY];

/* Keeps the thread's state at each depth. end: of the stack's frames. */
__attribute__((noinline)) static void states_take(int depth, const unsigned char *end)
{
	struct stack_copy *t = &states[depth];
#ifdef __x86_64__
	static ucontext_t context; /* of a kilobyte: not in each frame */

	getcontext(&context);
	t->pc = (uint64_t)context.uc_mcontext.gregs[REG_RIP];
	t->sp = (uint64_t)context.uc_mcontext.gregs[REG_RSP];
	t->fp = (uint64_t)context.uc_mcontext.gregs[REG_RBP];
#endif
	t->stack = stacks[depth];
	t->size = (uint64_t)(uintptr_t)end - t->sp;
	if (t->size > COPY)
		t->size = COPY;
	memcpy(stacks[depth], (const void *)(uintptr_t)t->sp, t->size);
	if (depth + 1 < DEPTH)
		states_take(depth + 1, end);
	__asm__ __volatile__("" ::: "memory"); /* the call is none at the end */
}

static int unwound(unsigned samples)
{
	struct space *space = space_at((uint32_t)getpid(), 0);
	uint64_t frames[UNWIND_MOST];
	bool whole;

	for (unsigned i = 0; i < samples; i++)
		if (unwind(space, &states[i % DEPTH], frames, &whole) < i % DEPTH + 2 || !whole)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	unsigned samples = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	struct space_files files = {NULL, NULL};
	int status;

	states_take(0, (const unsigned char *)environ);
	spaces_open(".");
	space_read(getpid());
	status = unwound(samples);
	spaces_free(&files);
	return status;
}
