#include "runtime/thread.h"
#include "runtime/fault.h"
#include "runtime/file.h"
#include "runtime/guard.h"
#include "runtime/log.h"
#include "runtime/note.h"
#include <errno.h>
#include <limits.h>
#include <string.h>

#define RETRY_TICKS (UINT64_C(1) << 25)         /* about 10 ms */

/* Always busy: the path of an event takes it for a tail at work and asks here. */
static struct glimpse_tail nowhere = { .busy = 1 };

__thread struct glimpse_tail *glimpse_self __attribute__((tls_model("initial-exec"))) = &nowhere;

static __thread struct {
	struct tail *tails[GL_LEVELS];  /* the first is the thread's own, the others for handlers */
	uint64_t retry;         /* ticks; not before is it tried again to open a log */
	bool off;
	int rounds;             /* of destructors of the thread's data */
} me __attribute__((tls_model("initial-exec")));

static pthread_key_t key;
static bool key_made;

/*
 * Destructors of other data may log, too, and run before or after this one. It asks to be called
 * again until one round before the last that POSIX promises: in that one ThreadSanitizer ends its
 * care of the thread.
 */
static void thread_ends(void *value)
{
	if (++me.rounds < PTHREAD_DESTRUCTOR_ITERATIONS - 1)
		pthread_setspecific(key, value);
	else
		glimpse_thread_close();
}

void gl_thread_prepare(void)
{
	if (!key_made)
		key_made = pthread_key_create(&key, thread_ends) == 0;
}

/* Opens the log of a level. Inside a guard. */
static struct tail *thread_open(uint32_t level)
{
	struct tail *t = NULL;

	gl_process_lock();
	if (gl_process_open())
		t = gl_log_open(level, me.tails[0]);
	gl_process_unlock();
	if (!t || level)
		return t;
	if (key_made)
		pthread_setspecific(key, t);
	glimpse_self = me.off ? &nowhere : &t->hot;
	return t;
}

static struct tail *thread_try(uint32_t level)
{
	struct tail **at = &me.tails[level];
	struct guard g;

	if (gl_clock_ticks() < me.retry || !gl_guard_enter(&g))
		return NULL;
	if (!*at)       /* a handler may have opened it just before */
		*at = thread_open(level);
	me.retry = *at ? 0 : gl_clock_ticks() + RETRY_TICKS;
	gl_guard_leave(&g);
	return *at;
}

struct tail *gl_thread_idle(void)
{
	for (uint32_t level = 0; level < GL_LEVELS; level++) {
		struct tail *t = me.tails[level] ? me.tails[level] : thread_try(level);

		if (!t || !t->hot.busy)
			return t;
	}
	return NULL;
}

struct tail *gl_thread_opened(void)
{
	for (uint32_t level = 0; level < GL_LEVELS; level++)
		if (!me.tails[level] || !me.tails[level]->hot.busy)
			return me.tails[level];
	return NULL;
}

struct glimpse_slot glimpse_begin_busy(uint32_t id, uint32_t size)
{
	struct tail *t = me.off ? NULL : gl_thread_idle();

	if (!t) {
		if (!me.off)
			gl_process_dropped(1);
		return (struct glimpse_slot){ NULL, NULL };
	}
	glimpse_mark(&t->hot, 1);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return gl_tail_begin(t, id, size);
}

struct glimpse_slot glimpse_begin_room(struct glimpse_tail *tail, uint32_t id, uint32_t size)
{
	return gl_tail_begin((struct tail *)tail, id, size);
}

void gl_thread_end(void)
{
	glimpse_self = &nowhere;
	for (uint32_t level = 0; level < GL_LEVELS && me.tails[level]; level++) {
		gl_tail_give(me.tails[level]);
		me.tails[level] = NULL;
	}
}

void glimpse_thread_close(void)
{
	struct guard g;

	if (!me.tails[0] || !gl_guard_enter(&g))
		return;
	gl_process_lock();
	gl_process_clock(0, true);
	gl_thread_end();
	gl_process_unlock();
	gl_guard_leave(&g);
}

static void name_note(const char *name)
{
	size_t length = strlen(name);
	struct tail *t;
	struct guard g;

	if (!gl_thread_idle() || !gl_guard_enter(&g))
		return;
	t = gl_thread_opened();
	if (t)
		gl_note(t, NOTE_NAME, name, length > 63 ? 63 : (uint32_t)length);
	gl_guard_leave(&g);
}

void glimpse_thread_name(const char *name)
{
	if (name)
		name_note(name);
}

static void switch_note(int on)
{
	unsigned char content[16];
	struct tail *t;
	struct guard g;

	if (!gl_guard_enter(&g))
		return;
	glimpse_put32(content, 0);
	glimpse_put32(content + 4, on ? 1 : 0);
	glimpse_put64(content + 8, gl_clock_ticks());
	t = gl_thread_opened();
	if (t)
		gl_note(t, NOTE_SWITCH, content, sizeof content);
	gl_guard_leave(&g);
}

void glimpse_thread_switch(int on)
{
	if (me.off == !on)
		return;
	switch_note(on);
	me.off = !on;
	glimpse_self = on && me.tails[0] ? &me.tails[0]->hot : &nowhere;
}

void gl_thread_moved(const struct tail *from, struct tail *to)
{
	for (uint32_t level = 0; level < GL_LEVELS; level++)
		if (me.tails[level] == from)
			me.tails[level] = to;
	if (glimpse_self == &from->hot)
		glimpse_self = &to->hot;
}

bool gl_thread_owns(const struct tail *t)
{
	for (uint32_t level = 0; level < GL_LEVELS; level++)
		if (me.tails[level] == t)
			return true;
	return false;
}

void gl_thread_forked(void)
{
	memset(me.tails, 0, sizeof me.tails);
	me.retry = 0;
	glimpse_self = &nowhere;
}
