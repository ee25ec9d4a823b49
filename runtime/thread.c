#include "runtime/thread.h"
#include "runtime/fork.h"
#include "runtime/guard.h"
#include "runtime/hook.h"
#include "runtime/log.h"
#include "runtime/modules.h"
#include "runtime/openmp.h"
#include "runtime/pairs.h"
#include "runtime/run.h"
#include "runtime/stack.h"
#include <limits.h>

#define RETRY_TICKS (UINT64_C(1) << 25) /* about 10 ms */
#define NAME_MOST 63u

/*
 * glibc has room for the data of so many keys in each thread, and calls calloc() for that of later
 * ones: a handler that interrupted malloc() would wait for it for ever.
 */
#ifdef __GLIBC__
#define KEYS_WITH_ROOM 32
#else
#define KEYS_WITH_ROOM PTHREAD_KEYS_MAX
#endif
#define OPENED_PER_SEARCH 16u

static pthread_key_t key;
static bool key_made;
static bool key_used;   /* else the ends of threads have to be looked for */
static uint32_t opened; /* logs, since threads that ended were looked for */
static struct glimpse_hook *at_end, *at_process_end;

/*
 * Destructors of other data may log, too, and run before or after this one. It asks to be called
 * again until one round before the last that POSIX promises: in the last one ThreadSanitizer ends
 * its care of the thread.
 */
static void thread_ends(void *value)
{
	if (!gl_self.rounds)
		gl_hooks_call(at_end);
	if (++gl_self.rounds < PTHREAD_DESTRUCTOR_ITERATIONS - 1)
		pthread_setspecific(key, value);
	else
		glimpse_thread_close();
}

static void key_make(void)
{
	if (key_made)
		return;
	key_made = pthread_key_create(&key, thread_ends) == 0;
	__atomic_store_n(&key_used, key_made && key < KEYS_WITH_ROOM, __ATOMIC_RELAXED);
}

__attribute__((constructor(101))) static void thread_load(void)
{
	key_make();
}

/*
 * A plugin that has a static libglimpse may be unloaded while its threads live on. Their logs then
 * stay in the files of the tails.
 */
__attribute__((destructor(101))) static void thread_unload(void)
{
	if (key_made)
		pthread_key_delete(key);
	__atomic_store_n(&key_used, false, __ATOMIC_RELAXED);
}

void glimpse_at_thread_end(struct glimpse_hook *hook)
{
	gl_hook_add(&at_end, hook);
}

void glimpse_at_process_end(struct glimpse_hook *hook)
{
	gl_hook_add(&at_process_end, hook);
}

void glimpse_process_ends(void)
{
	gl_hooks_call(at_process_end);
}

void glimpse_thread_watch(void)
{
	if (key_made)
		pthread_setspecific(key, &key);
}

/* Opens the log of a level. Inside a guard. */
static struct tail *thread_open(uint32_t level)
{
	struct tail *t = NULL;
	bool used;

	gl_process_lock();
	key_make(); /* an event in an early constructor may come before thread_load() */
	used = __atomic_load_n(&key_used, __ATOMIC_RELAXED); /* thread_unload() has no lock */
	if (gl_run_open()) {
		if (!used && ++opened % OPENED_PER_SEARCH == 0)
			gl_log_end_dead();
		t = gl_log_begin(level, gl_thread_tails()[0]);
	}
	gl_process_unlock();
	gl_modules_update_soon();
	if (t && !level && used)
		pthread_setspecific(key, t);
	return t;
}

static struct tail *thread_try(uint32_t level)
{
	struct tail **at = &gl_thread_tails()[level];
	struct guard g;

	if (gl_clock_ticks() < gl_self.retry || !gl_guard_enter(&g))
		return NULL;
	if (!*at) /* a handler may have opened it just before */
		*at = thread_open(level);
	gl_thread_tails_point();
	gl_self.retry = *at ? 0 : gl_clock_ticks() + RETRY_TICKS;
	gl_guard_leave(&g);
	return *at;
}

/*
 * Makes the tails of a level and those after it idle, once the event that the level is busy with is
 * over: what interrupted that event is over, too.
 */
static void levels_leave(uint32_t level, uintptr_t pointer)
{
	struct tail *const *tails = gl_thread_tails();

	if (!gl_stack_left(tails[level]->hot.busy, pointer))
		return;
	for (uint32_t k = GL_LEVELS; k-- > level;)
		if (tails[k])
			glimpse_mark(&tails[k]->hot, 0);
}

struct tail *gl_thread_idle(uintptr_t pointer)
{
	for (uint32_t level = 0; level < GL_LEVELS; level++) {
		struct tail *t = gl_thread_tails()[level];

		if (!t)
			t = thread_try(level);
		if (t && t->hot.busy)
			levels_leave(level, pointer);
		if (!t || !t->hot.busy)
			return t;
	}
	return NULL;
}

void glimpse_thread_close(void)
{
	struct guard g;

	gl_fork_noticed();
	glimpse_log_select(NULL);
	if (!gl_self.own[0] || !gl_guard_enter(&g))
		return;
	gl_process_lock();
	gl_pairs_store();
	gl_log_end_all(gl_self.own);
	gl_process_unlock();
	gl_guard_leave(&g);
}

/* Writes a note to the log of the calling thread's idle tail, if there is one. */
static void thread_note(enum log_note kind, const void *content, uint32_t size)
{
	struct tail *t;
	struct guard g;

	gl_fork_noticed();
	if (!gl_guard_enter(&g))
		return;
	t = gl_thread_tails_idle();
	if (t)
		gl_log_note(t, kind, content, size);
	gl_guard_leave(&g);
}

void glimpse_thread_name(const char *name)
{
	char of_team[NAME_MOST + 1];
	size_t length;

	if (!name && gl_openmp_name(of_team, sizeof of_team))
		name = of_team;
	length = name ? strlen(name) : 0;
	gl_fork_noticed();
	if (name && gl_thread_idle(GL_STACK_POINTER))
		thread_note(NOTE_NAME, name, length > NAME_MOST ? NAME_MOST : (uint32_t)length);
}

void glimpse_thread_switch(int on)
{
	unsigned char content[16];

	if (gl_self.off == !on)
		return;
	glimpse_put32(content, 0);
	glimpse_put32(content + 4, on ? 1 : 0);
	glimpse_put64(content + 8, gl_clock_ticks());
	thread_note(NOTE_SWITCH, content, sizeof content);
	gl_self.off = !on;
	gl_thread_tails_point();
}

void glimpse_thread_pause(void)
{
	glimpse_thread_switch(0);
}

void glimpse_thread_resume(void)
{
	glimpse_thread_switch(1);
}

int glimpse_paused_busy(void)
{
	return gl_self.off;
}
