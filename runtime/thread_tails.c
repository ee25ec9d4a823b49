#include "runtime/thread_tails.h"

/*
 * Always busy, so that the inline path of an event calls glimpse_begin_busy(); and without a time,
 * so that glimpse_now() asks which clock it is.
 */
static struct glimpse_tail nowhere = { .busy = 1, .since = GLIMPSE_NEVER };

__thread struct glimpse_tail *glimpse_self __attribute__((tls_model("initial-exec"))) = &nowhere;

__thread struct thread_tails gl_self __attribute__((tls_model("initial-exec")));

void gl_thread_tails_point(void)
{
	struct tail *t = gl_thread_tails()[0];

	glimpse_self = t && !gl_self.off ? &t->hot : &nowhere;
}

struct tail *gl_thread_tails_idle(void)
{
	struct tail *const *tails = gl_thread_tails();

	for (uint32_t level = 0; level < GL_LEVELS; level++)
		if (!tails[level] || !tails[level]->hot.busy)
			return tails[level];
	return NULL;
}

bool gl_thread_tails_owns(const struct tail *t)
{
	for (uint32_t level = 0; level < GL_LEVELS; level++)
		if (gl_self.own[level] == t || gl_thread_tails()[level] == t)
			return true;
	return false;
}

void gl_thread_tails_replace(const struct tail *from, struct tail *to)
{
	struct tail **tails = gl_thread_tails();

	for (uint32_t level = 0; level < GL_LEVELS; level++)
		if (tails[level] == from)
			tails[level] = to;
	gl_thread_tails_point();
}

void gl_thread_tails_forget(void)
{
	memset(gl_self.own, 0, sizeof gl_self.own);
	gl_self.levels = 0;
	gl_self.log = NULL;
	gl_self.retry = 0;
	gl_thread_tails_point();
}
