/* What is to be run once. What has been run costs no event. */
#include "probes/threads/threads.h"

/*
 * What the calling thread is about to have run. The function that the program gave is called by one
 * of ours, which knows when it has ended: after that others go on before pthread_once() returns.
 *
 * Room for the begin is reserved before, and the end is logged when the call is over: while the
 * once is held no log is written. Allocators call pthread_once() in functions that the slow path
 * may need.
 */
struct once {
	void (*function)(void);
	const void *once, *site;
	uint64_t ended;
	bool has_ended;
};

static __thread struct once once_now __attribute__((tls_model("initial-exec")));

static void once_run(void)
{
	struct once o = once_now;

	OnceBegin_Stamp(o.once, o.site);
	o.function();
	once_now.ended = glimpse_now();
	once_now.has_ended = true;
}

/* A signal handler that comes in between has its own, and leaves this one as it was. */
static struct once once_begin(enum once_state state, void (*function)(void), const void *once,
			      const void *site)
{
	struct once outer = once_now;
	uint64_t now;

	once_now = (struct once){.function = function, .once = once, .site = site};
	if (state == ONCE_RUNS) {
		now = glimpse_now();
		OnceBusy_StampAt(now, once, site);
		wait_stack(now);
	}
	glimpse_reserve(ROOM);
	return outer;
}

static void once_end(enum once_state state, const void *once, struct once outer)
{
	struct once inner = once_now;

	once_now = outer;
	if (inner.has_ended)
		OnceEnd_StampAt(inner.ended, once, process_id);
	if (state == ONCE_RUNS)
		OnceReady_StampAt(now_after(), once, process_id);
}

/* Before the constructors the specification is not registered, which the first event would do. */
#define ONCE_QUIET() (!process_id || QUIET())

WRAP_EXPORT int pthread_once(pthread_once_t *once, void (*function)(void))
{
	enum once_state state = once_state(once);
	struct once outer;
	int result;

	if (WRAP_LIKELY(state == ONCE_DONE) || ONCE_QUIET())
		return REAL(pthread_once)(once, function);
	outer = once_begin(state, function, once, WRAP_SITE);
	result = REAL(pthread_once)(once, once_run);
	once_end(state, once, outer);
	return result;
}

WRAP_EXPORT void call_once(once_flag *once, void (*function)(void))
{
	enum once_state state = once_state((const int *)once);
	struct once outer;

	if (WRAP_LIKELY(state == ONCE_DONE) || ONCE_QUIET()) {
		REAL(call_once)(once, function);
		return;
	}
	outer = once_begin(state, function, once, WRAP_SITE);
	REAL(call_once)(once, once_run);
	once_end(state, once, outer);
}
