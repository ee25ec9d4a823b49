/*
 * Threads: they begin in a function of ours, which logs their start, and their end is logged by the
 * destructor of thread data, so that it is known however they end.
 */
#include "probes/threads/futex_words.h"
#include "probes/threads/lock_way.h"
#include "probes/threads/priority.h"
#include "probes/threads/threads.h"
#include "probes/unwind/stacks.h"
#include "runtime/system.h"
#include <stdint.h>
#include <string.h>

/* What a new thread is to call. */
struct start {
	struct start *next; /* of those that are free */
	void *(*posix)(void *argument);
	int (*c11)(void *argument);
	void *argument;
	uint32_t child;
};

#define STARTS_AT_ONCE 64

static struct start *free_starts;
static int starts_lock;
static uint32_t children;
static __thread char name_known[16] __attribute__((tls_model("initial-exec")));
static __thread bool started __attribute__((tls_model("initial-exec"))); /* and has not ended */

/* Spins: what it guards are a few instructions, and a signal handler creates no threads. */
static void starts_enter(void)
{
	while (__atomic_exchange_n(&starts_lock, 1, __ATOMIC_ACQUIRE))
		REAL(sched_yield)();
}

static void starts_leave(void)
{
	__atomic_store_n(&starts_lock, 0, __ATOMIC_RELEASE);
}

static void start_give_back(struct start *s)
{
	starts_enter();
	s->next = free_starts;
	free_starts = s;
	starts_leave();
}

static void starts_more(void)
{
	struct start *more =
	    system_mmap(NULL, STARTS_AT_ONCE * sizeof *more, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; more != MAP_FAILED && i < STARTS_AT_ONCE; i++)
		start_give_back(&more[i]);
}

/* Not from malloc(), which belongs to the program. Returns NULL if there is no memory. */
static struct start *start_take(void)
{
	for (int tries = 0; tries < 2; tries++) {
		struct start *s;

		starts_enter();
		s = free_starts;
		if (s)
			free_starts = s->next;
		starts_leave();
		if (s)
			return s;
		starts_more();
	}
	return NULL;
}

/* The name that the system knows, which another thread may have given, too, or prctl(). */
static void name_find(char name[static sizeof name_known])
{
	name[0] = '\0';
	if (!glimpse_calls_begin())
		return;
	if (system_prctl(PR_GET_NAME, name))
		name[0] = '\0';
	glimpse_calls_end();
}

static void name_catch_up(void)
{
	char name[sizeof name_known];

	name_find(name);
	if (!name[0] || !strcmp(name, name_known))
		return;
	memcpy(name_known, name, sizeof name_known);
	glimpse_thread_name(name);
}

static void thread_ends(void)
{
	if (!started)
		return;
	started = false;
	name_catch_up();
	if (wait_now.kind)
		wait_left(UINTPTR_MAX);
	lock_count_thread_end();
	ThreadExit_Stamp((const void *)pthread_self(), process_id);
}

/* In a forked child that has logged nothing, nothing is. */
static void process_ends(void)
{
	if (!started)
		return;
	lock_count_process_end();
	ProcessExit_Stamp();
	thread_ends();
}

static void thread_starts(uint64_t ticks, uint32_t child, const void *entry)
{
	if (glimpse_filtered())
		return;
	name_find(name_known);
	if (!entry)
		ProcessStart_StampAt(ticks, process_id);
	ThreadStart_StampAt(ticks, (const void *)pthread_self(), process_id, child, entry);
	priority_catch_up();
	started = true;
	glimpse_thread_watch();
}

void thread_starts_late(uint64_t ticks)
{
	thread_starts(ticks, 0, NULL);
}

/*
 * A forked child logs its start with the first event that it has, as most children only call exec.
 * Another thread's creation may have left the lock taken.
 */
static void threads_forked(void)
{
	if (glimpse_filtered())
		return;
	process_id = (uint32_t)system_getpid();
	free_starts = NULL;
	starts_leave();
	started = false;
	lock_way_forked();
	futex_words_forked();
	stacks_forget();
	wait_now = (struct wait){.kind = WAIT_FORKED, .since = glimpse_now()};
}

__attribute__((constructor(102))) static void threads_load(void)
{
	static struct glimpse_hook at_fork = {.call = threads_forked};
	static struct glimpse_hook at_end = {.call = thread_ends};
	static struct glimpse_hook at_process_end = {.call = process_ends};

	priority_begin();
	glimpse_at_fork(&at_fork);
	glimpse_at_thread_end(&at_end);
	glimpse_at_process_end(&at_process_end);
	thread_starts(glimpse_now(), 0, NULL);
}

/* The thread that ends the program. */
__attribute__((destructor(102))) static void threads_unload(void)
{
	process_ends();
}

static void *thread_posix(void *argument)
{
	struct start s = *(struct start *)argument;

	start_give_back(argument);
	thread_starts(glimpse_now(), s.child, (const void *)s.posix);
	return s.posix(s.argument);
}

static int thread_c11(void *argument)
{
	struct start s = *(struct start *)argument;

	start_give_back(argument);
	thread_starts(glimpse_now(), s.child, (const void *)s.c11);
	return s.c11(s.argument);
}

WRAP_EXPORT int pthread_create(pthread_t *restrict thread,
			       const pthread_attr_t *restrict attributes, void *(*function)(void *),
			       void *restrict argument)
{
	struct start *s = QUIET() ? NULL : start_take();
	uint64_t ticks;
	uint32_t child;
	int result;

	if (!s)
		return REAL(pthread_create)(thread, attributes, function, argument);
	s->posix = function;
	s->argument = argument;
	child = s->child = __atomic_add_fetch(&children, 1, __ATOMIC_RELAXED);
	ticks = glimpse_now();
	result = REAL(pthread_create)(thread, attributes, thread_posix, s);
	if (result)
		start_give_back(s);
	else
		ThreadCreate_StampAt(ticks, process_id, child, WRAP_SITE);
	return result;
}

WRAP_EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	struct start *s = QUIET() ? NULL : start_take();
	uint64_t ticks;
	uint32_t child;
	int result;

	if (!s)
		return REAL(thrd_create)(thread, function, argument);
	s->c11 = function;
	s->argument = argument;
	child = s->child = __atomic_add_fetch(&children, 1, __ATOMIC_RELAXED);
	ticks = glimpse_now();
	result = REAL(thrd_create)(thread, thread_c11, s);
	if (result != thrd_success)
		start_give_back(s);
	else
		ThreadCreate_StampAt(ticks, process_id, child, WRAP_SITE);
	return result;
}

WRAP_EXPORT int pthread_detach(pthread_t thread)
{
	if (!QUIET())
		ThreadDetach_Stamp((const void *)thread, WRAP_SITE);
	return REAL(pthread_detach)(thread);
}

WRAP_EXPORT int thrd_detach(thrd_t thread)
{
	if (!QUIET())
		ThreadDetach_Stamp((const void *)thread, WRAP_SITE);
	return REAL(thrd_detach)(thread);
}

WRAP_EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
	int result = REAL(pthread_setname_np)(thread, name);

	if (!QUIET() && !result) {
		ThreadName_Stamp((const void *)thread, name);
		if (pthread_equal(thread, pthread_self()))
			name_catch_up();
	}
	return result;
}

/*
 * ---- Joining ----------------------------------------------------------------------------------
 */

static void join_begin(const void *thread, const void *site, uintptr_t frame, struct wait *outer,
		       bool waits)
{
	uint64_t now = glimpse_now();

	JoinBegin_StampAt(now, thread, site);
	if (waits)
		wait_stack(now);
	wait_begin((struct wait){WAIT_JOIN, thread, NULL, site, 0, frame, NULL}, outer);
}

static void join_end(const void *thread, int result, const struct wait *outer)
{
	wait_end(outer);
	JoinEnd_Stamp(thread, process_id, result);
}

/* Joins a thread: `call` does, and `error` is its result as an errno value. */
#define JOIN(thread, call, error) JOIN_THAT(thread, true, call, error)
#define JOIN_THAT(thread, waits, call, error) \
	(__extension__({ \
		struct wait outer_; \
		int result_; \
		WAIT_UNWINDS(); \
		join_begin((const void *)(thread), WRAP_SITE, FRAME, &outer_, waits); \
		result_ = (call); \
		join_end((const void *)(thread), error(result_), &outer_); \
		result_; \
	}))
#define POSIX_ERROR(result) (result)

WRAP_EXPORT int pthread_join(pthread_t thread, void **value)
{
	if (QUIET())
		return REAL(pthread_join)(thread, value);
	return JOIN(thread, REAL(pthread_join)(thread, value), POSIX_ERROR);
}

WRAP_EXPORT int pthread_tryjoin_np(pthread_t thread, void **value)
{
	if (QUIET())
		return REAL(pthread_tryjoin_np)(thread, value);
	return JOIN_THAT(thread, false, REAL(pthread_tryjoin_np)(thread, value), POSIX_ERROR);
}

WRAP_EXPORT int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until)
{
	if (QUIET())
		return REAL(pthread_timedjoin_np)(thread, value, until);
	return JOIN(thread, REAL(pthread_timedjoin_np)(thread, value, until), POSIX_ERROR);
}

WRAP_EXPORT int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock,
				     const struct timespec *until)
{
	if (QUIET())
		return REAL(pthread_clockjoin_np)(thread, value, clock, until);
	return JOIN(thread, REAL(pthread_clockjoin_np)(thread, value, clock, until), POSIX_ERROR);
}

WRAP_EXPORT int thrd_join(thrd_t thread, int *value)
{
	if (QUIET())
		return REAL(thrd_join)(thread, value);
	return JOIN(thread, REAL(thrd_join)(thread, value), c11_error);
}
