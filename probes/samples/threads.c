/* Threads that start and end, forks, and modules that are unloaded. */
#include "probes/samples/threads.h"
#include "probes/samples/real.h"
#include "probes/samples/signals.h"
#include "probes/samples/timers.h"
#include "probes/unwind/stacks.h"

struct real_signals real;

static void thread_ends(void)
{
	if (sampled_self)
		sampled_end(sampled_self);
}

static void thread_starts(struct sampled *s)
{
	signals_thread(s->hidden);
	sampled_start(s);
	glimpse_thread_watch();
}

static void *start_posix(void *argument)
{
	struct sampled *s = argument;
	void *(*posix)(void *) = s->posix;
	void *given = s->argument;

	thread_starts(s);
	return posix(given);
}

static int start_c11(void *argument)
{
	struct sampled *s = argument;
	int (*c11)(void *) = s->c11;
	void *given = s->argument;

	thread_starts(s);
	return c11(given);
}

WRAP_EXPORT int pthread_create(pthread_t *restrict thread,
			       const pthread_attr_t *restrict attributes, void *(*function)(void *),
			       void *restrict argument)
{
	struct sampled *s = sampled_new();
	int result;

	if (!s)
		return REAL(pthread_create)(thread, attributes, function, argument);
	s->posix = function;
	s->argument = argument;
	s->hidden = signals_hidden();
	result = REAL(pthread_create)(thread, attributes, start_posix, s);
	if (result)
		sampled_end(s);
	return result;
}

WRAP_EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	struct sampled *s = sampled_new();
	int result;

	if (!s)
		return REAL(thrd_create)(thread, function, argument);
	s->c11 = function;
	s->argument = argument;
	s->hidden = signals_hidden();
	result = REAL(thrd_create)(thread, start_c11, s);
	if (result != thrd_success)
		sampled_end(s);
	return result;
}

WRAP_EXPORT int dlclose(void *handle)
{
	uint64_t before = stacks_unloading();
	int result = REAL(dlclose)(handle);

	stacks_unloaded(before);
	return result;
}

static void forked(void)
{
	stacks_forget();
	timers_forked();
}

static void reals_find(void)
{
#define ENTRY(name) REAL(name);
#define SIGNAL_LIKE(name) REAL(name);
#include "probes/samples/entries.h"
#undef ENTRY
}

void threads_begin(void)
{
	static struct glimpse_hook at_fork = {.call = forked};
	static struct glimpse_hook at_end = {.call = thread_ends};

	reals_find();
	glimpse_at_fork(&at_fork);
	glimpse_at_thread_end(&at_end);
}
