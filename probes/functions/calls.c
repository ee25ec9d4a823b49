#include "probes/functions/calls.h"
#include "probes/functions/choice.h"
#include "runtime/system.h"
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#define CALLS 262144u /* open calls of a thread: recursion that is deeper is not logged */
#define SIZE (CALLS * sizeof(struct entered_call))
#define LOOK_TICKS (UINT64_C(1) << 28) /* about 0.1 s */

/* The bottom of a thread without memory. It is never written. */
static struct entered_call none[1];

__thread struct entered_calls calls_self __attribute__((tls_model("initial-exec"))) = {
    .top = none + 1,
    .end = none + 1,
};
uint32_t calls_mode;

/* ---- Ends ------------------------------------------------------------------------------------ */

/* Functions are in the lower half of the addresses. */
static bool is_logged(const struct entered_call *call)
{
	return (intptr_t)call->function > 0;
}

/* The calls that had no room are over: what stands for them is taken off. */
static void calls_within(struct entered_calls *c)
{
	c->beyond = 0;
	c->end--;
	c->top = c->end;
}

/* Ends the innermost call. */
static void calls_pop(struct entered_calls *c, uint64_t now)
{
	struct entered_call *call = c->top - 1;

	if (c->beyond) {
		calls_within(c);
		return;
	}
	if (is_logged(call))
		calls_log_leave(now, call->function);
	c->top = call;
}

/* Ends all calls above a place. */
static void calls_pop_to(struct entered_calls *c, const struct entered_call *to, uint64_t now)
{
	while (c->top > to)
		calls_pop(c, now);
}

static bool is_of(const struct entered_call *call, uintptr_t function)
{
	return call->function == function || call->function == ~function;
}

void calls_leave_search(uintptr_t function)
{
	struct entered_calls *c = &calls_self;
	struct entered_call *call = c->top - 1;
	uint64_t now;

	if (c->beyond) {
		if (!--c->beyond)
			calls_within(c);
		return;
	}
	/* nothing was entered yet: calls were switched on while the thread was inside of them */
	if (!c->bottom || glimpse_off(&functions_glimpse, EVENT_LEAVE))
		return;
	while (call > c->bottom && !is_of(call, function))
		call--;
	if (call == c->bottom)
		return;
	now = glimpse_now();
	calls_pop_to(c, call + 1, now);
	if (is_logged(call))
		calls_leave_counted(now, call);
	else
		c->top = call;
}

void calls_unwind(uintptr_t from, uintptr_t to)
{
	struct entered_calls *c = &calls_self;
	uint64_t now = glimpse_now();

	if (!c->bottom || c->busy)
		return;
	while (c->top - 1 > c->bottom && c->top[-1].stack >= from && c->top[-1].stack < to)
		calls_pop(c, now);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* The end of a thread inside of functions: they end with it. */
static void calls_end(void)
{
	struct entered_calls *c = &calls_self;
	struct entered_call *bottom = c->bottom;

	if (!bottom)
		return;
	calls_pop_to(c, bottom + 1, glimpse_now());
	c->ended = true;
	c->top = none + 1;
	c->end = none + 1;
	c->bottom = NULL;
	system_munmap(bottom, SIZE);
}

static void calls_open(struct entered_calls *c)
{
	struct entered_call *made = glimpse_map(SIZE);

	if (!made)
		return;
	c->bottom = made;
	c->top = made + 1;
	c->end = made + CALLS - 1; /* one more place tells of those without room */
	glimpse_thread_watch();
}

/*
 * Too many calls are open. Those that are below the stack pointer are over; if there are none, this
 * one is counted in the place behind the last.
 */
static struct entered_call *calls_crowd(struct entered_calls *c, uintptr_t stack)
{
	if (!c->beyond) {
		calls_unwind(0, stack);
		if (c->top < c->end)
			return c->top;
	}
	if (!c->beyond++) {
		*c->end = (struct entered_call){.stack = stack};
		c->end++;
		c->top = c->end;
	}
	return NULL;
}

/* Returns room for a call, or NULL: of a thread without any, or with too many open calls. */
static struct entered_call *calls_room(struct entered_calls *c, uintptr_t stack)
{
	sigset_t all, before;

	if (c->busy || c->ended)
		return NULL;
	if (c->bottom)
		return calls_crowd(c, stack);
	c->busy = true;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	calls_open(c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	c->busy = false;
	return c->bottom ? c->top : NULL;
}

/* ---- Stacks ---------------------------------------------------------------------------------- */

void calls_stack_init(struct calls_stack *s)
{
	*s = (struct calls_stack){.top = none + 1, .end = none + 1};
}

void calls_stack_free(struct calls_stack *s)
{
	if (s->bottom)
		system_munmap(s->bottom, SIZE);
	calls_stack_init(s);
}

void calls_stack_change(struct calls_stack *from, const struct calls_stack *to)
{
	struct entered_calls *c = &calls_self;

	*from = (struct calls_stack){c->top, c->end, c->bottom, c->beyond};
	c->bottom = to->bottom;
	c->end = to->end;
	c->beyond = to->beyond;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->top = to->top;
}

/* ---- Counting and choosing ------------------------------------------------------------------- */

/* Counts a call that ended, and switches its function off if there were too many. */
static void calls_count(struct auto_off_site *site, uint64_t ticks)
{
	struct entered_calls *c = &calls_self;
	enum auto_off_why why = auto_off_count(site, ticks);

	if (!why)
		return;
	FunctionOff_Stamp((const void *)site->key, auto_off_why_text(why), site->calls,
			  auto_off_mean(site));
	if (c->busy)
		return;
	c->busy = true;
	choice_dropped(site->key);
	c->busy = false;
}

/* Returns whether a call is to be logged. */
static bool calls_choose(uintptr_t function)
{
	struct entered_calls *c = &calls_self;
	struct auto_off_site *site;

	if (c->busy)
		return false;
	c->busy = true;
	if (calls_news())
		choice_renew();
	if (glimpse_off(&functions_glimpse, EVENT_ENTER)) {
		c->busy = false;
		return false;
	}
	site = calls_mode & CALLS_CHOOSY ? choice_find(function) : NULL;
	c->busy = false;
	return !site || !choice_is_off(site);
}

/* ---- The slow path --------------------------------------------------------------------------- */

/* Looks at the modules again, now and then: dlopen() may have been called. */
static void modules_look(struct entered_calls *c, uint64_t now)
{
	static uint64_t next;

	if (c->busy || now < __atomic_load_n(&next, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&next, now + LOOK_TICKS, __ATOMIC_RELAXED);
	c->busy = true;
	choice_look();
	c->busy = false;
}

void calls_log_enter(uint64_t now, uintptr_t function, uintptr_t site)
{
	modules_look(&calls_self, now);
	if (glimpse_self->since == GLIMPSE_NEVER) {
		now = glimpse_now();
		calls_self.top[-1].time = now;
	}
	if (calls_mode & CALLS_WIDE)
		EnterWide_StampAt(now, (const void *)function, (const void *)site);
	else
		Enter_StampAt(now, (const void *)function, (const void *)site);
}

void calls_log_leave(uint64_t now, uintptr_t function)
{
	if (glimpse_self->since == GLIMPSE_NEVER)
		now = glimpse_now();
	if (calls_mode & CALLS_WIDE)
		LeaveWide_StampAt(now, (const void *)function);
	else
		Leave_StampAt(now, (const void *)function);
}

/* Returns whether the whole probe is off, or the run is over. */
static bool is_off(void)
{
	return glimpse_off(&functions_glimpse, EVENT_ENTER) &&
	       (!calls_news() || functions_glimpse.words == functions_glimpse.local);
}

void calls_enter_slowly(uintptr_t function, uintptr_t site, uintptr_t stack)
{
	struct entered_calls *c = &calls_self;
	struct entered_call *call = c->top;

	if (is_off())
		return;
	if (call == c->end && !(call = calls_room(c, stack)))
		return;
	c->top = call + 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*call = (struct entered_call){.function = ~function, .stack = stack};
	if (!calls_choose(function))
		return;
	call->function = function;
	call->time = glimpse_now();
	calls_log_enter(call->time, function, site);
}

void calls_leave_counted(uint64_t now, struct entered_call *call)
{
	uint64_t ticks = now - call->time;
	uintptr_t function = call->function;
	struct auto_off_site *site;

	calls_log_leave(now, function);
	calls_self.top = call;
	site = auto_off_wanted() ? auto_off_find(function) : NULL;
	if (site)
		calls_count(site, ticks);
}

/* ---- The process ----------------------------------------------------------------------------- */

/* The calls that are open in a child of fork() were entered in the log of its parent. */
static void calls_forked(void)
{
	struct entered_calls *c = &calls_self;

	for (struct entered_call *call = c->top - 1; call > c->bottom && c->bottom; call--)
		if (is_logged(call))
			call->function = ~call->function;
	choice_forked();
}

__attribute__((constructor)) static void calls_load(void)
{
	static struct glimpse_hook at_fork = {.call = calls_forked};
	static struct glimpse_hook at_end = {.call = calls_end};

	glimpse_at_fork(&at_fork);
	glimpse_at_thread_end(&at_end);
	auto_off_read();
	choice_load();
}

/* exit() leaves the functions that called it. */
__attribute__((destructor)) static void calls_unload(void)
{
	struct entered_calls *c = &calls_self;

	if (c->bottom)
		calls_pop_to(c, c->bottom + 1, glimpse_now());
}
