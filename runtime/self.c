#include "runtime/self.h"
#include <signal.h>

#define FRAME_LEAST 512
#define STACK_MOST (64 << 20)   /* what is further away is another stack */

/* Always busy, so that the inline path of an event calls glimpse_begin_busy(). */
static struct glimpse_tail nowhere = { .busy = 1 };

__thread struct glimpse_tail *glimpse_self __attribute__((tls_model("initial-exec"))) = &nowhere;

__thread struct self gl_self __attribute__((tls_model("initial-exec")));

void gl_self_point(void)
{
	glimpse_self = gl_self.tails[0] && !gl_self.off ? &gl_self.tails[0]->hot : &nowhere;
}

struct tail *gl_self_idle(void)
{
	for (uint32_t level = 0; level < GL_LEVELS; level++)
		if (!gl_self.tails[level] || !gl_self.tails[level]->hot.busy)
			return gl_self.tails[level];
	return NULL;
}

static bool stack_has(const stack_t *stack, uint32_t mark)
{
	return mark - (uint32_t)(uintptr_t)stack->ss_sp < stack->ss_size;
}

/*
 * Between an event and a handler that interrupts it the stack has the processor's registers: more
 * than FRAME_LEAST bytes. A frame that is not as far below the marked event's is therefore none of
 * a handler of it, as long as both are on the same stack.
 */
bool gl_self_is_left(const struct tail *t, uintptr_t frame)
{
	uint32_t mark = t->hot.busy;
	int32_t above = (int32_t)((uint32_t)frame - mark);
	stack_t stack;

	if (!mark || mark == GLIMPSE_MARK)
		return false;
	if (sigaltstack(NULL, &stack))
		return false;
	if (stack.ss_size && !(stack.ss_flags & SS_DISABLE) &&
	    stack_has(&stack, mark) != !!(stack.ss_flags & SS_ONSTACK))
		return !(stack.ss_flags & SS_ONSTACK);
	return above > -FRAME_LEAST && above < STACK_MOST;
}

void gl_self_clear(uint32_t level)
{
	for (uint32_t k = GL_LEVELS; k-- > level;)
		if (gl_self.tails[k])
			glimpse_mark_clear(&gl_self.tails[k]->hot);
}

bool gl_self_owns(const struct tail *t)
{
	for (uint32_t level = 0; level < GL_LEVELS; level++)
		if (gl_self.tails[level] == t)
			return true;
	return false;
}

void gl_self_replace(const struct tail *from, struct tail *to)
{
	for (uint32_t level = 0; level < GL_LEVELS; level++)
		if (gl_self.tails[level] == from)
			gl_self.tails[level] = to;
	gl_self_point();
}

void gl_self_forget(void)
{
	memset(gl_self.tails, 0, sizeof gl_self.tails);
	gl_self.retry = 0;
	gl_self_point();
}
