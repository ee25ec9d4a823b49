#include "runtime/self.h"

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
