/*
 * Coroutines: each stack has open calls of its own. Who comes back to a stack does so from the call
 * of swapcontext() by which that was left: it is there that it is known again, however the thread
 * came back, also at the end of a coroutine, which the C library handles itself. Only of a stack
 * that begins it must be known before.
 */
#include "probes/functions/calls.h"
#include "probes/wrap.h"
#include "runtime/system.h"
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <ucontext.h>

struct stack {
	struct stack *next; /* of those that have a name in this thread */
	const void *name;   /* that glimpse_context() gave it */
	uint64_t number;    /* 0: the thread's own */
	struct calls_stack calls;
	bool left; /* by swapcontext(), which may return */
	bool named;
};

static __thread struct {
	struct stack own, *now, *named;
} thread __attribute__((tls_model("initial-exec")));

static uint64_t stacks;

/* Not inline: after a switch the thread may be another one. */
static __attribute__((noinline)) struct stack *stack_now(void)
{
	if (!thread.now)
		thread.now = &thread.own;
	return thread.now;
}

static __attribute__((noinline)) void stack_enter(struct stack *to)
{
	struct stack *from = stack_now();

	if (from == to)
		return;
	calls_stack_change(&from->calls, &to->calls);
	thread.now = to;
	if (!glimpse_off(&functions_glimpse, EVENT_STACK))
		StackSwitched_Stamp(to->number);
	/* nobody can come back to a coroutine that did not leave by swapcontext() */
	if (from != &thread.own && !from->left && !from->named) {
		calls_stack_free(&from->calls);
		free(from);
	}
}

static struct stack *stack_new(void)
{
	struct stack *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->number = __atomic_add_fetch(&stacks, 1, __ATOMIC_RELAXED);
	calls_stack_init(&s->calls);
	return s;
}

/* ---- makecontext() --------------------------------------------------------------------------- */

/* Contexts that were made and did not begin yet; few at a time. */
static struct made {
	struct made *next;
	const ucontext_t *context;
} * made;
static bool making; /* somebody changes the list; no mutex, as other probes log those */

static void made_lock(void)
{
	while (__atomic_exchange_n(&making, true, __ATOMIC_ACQUIRE))
		system_sched_yield();
}

static void made_unlock(void)
{
	__atomic_store_n(&making, false, __ATOMIC_RELEASE);
}

/* Takes a context from the list; returns whether it was there. */
static bool made_take(const ucontext_t *context)
{
	struct made **at, *found;

	if (!__atomic_load_n(&made, __ATOMIC_RELAXED))
		return false;
	made_lock();
	for (at = &made; *at && (*at)->context != context;)
		at = &(*at)->next;
	found = *at;
	if (found)
		*at = found->next;
	made_unlock();
	free(found);
	return found != NULL;
}

static void made_add(const ucontext_t *context)
{
	struct made *m = malloc(sizeof *m);

	made_take(context);
	if (!m)
		return;
	m->context = context;
	made_lock();
	m->next = made;
	__atomic_store_n(&made, m, __ATOMIC_RELAXED);
	made_unlock();
}

typedef void made_function(ucontext_t *, void (*)(void), int, ...);

static struct {
	made_function *makecontext;
	int (*swapcontext)(ucontext_t *, const ucontext_t *);
	int (*setcontext)(const ucontext_t *);
} real;

enum { ARGUMENTS = 16 };

/* Arguments are ints, and in practice pointers: each has a word. More than there are do no harm. */
WRAP_EXPORT void makecontext(ucontext_t *context, void (*function)(void), int n, ...)
{
	made_function *next = WRAP_REAL(real.makecontext, "makecontext", NULL);
	long a[ARGUMENTS] = {0};
	va_list list;

	va_start(list, n);
	for (int i = 0; i < n && i < ARGUMENTS; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	next(context, function, n, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9],
	     a[10], a[11], a[12], a[13], a[14], a[15]);
	made_add(context);
}

/* ---- switches -------------------------------------------------------------------------------- */

static void context_begin(const ucontext_t *context)
{
	struct stack *s = made_take(context) ? stack_new() : NULL;

	if (s)
		stack_enter(s);
}

WRAP_EXPORT int swapcontext(ucontext_t *from, const ucontext_t *to)
{
	struct stack *mine = stack_now();
	int result;

	mine->left = true;
	context_begin(to);
	result = WRAP_REAL(real.swapcontext, "swapcontext", NULL)(from, to);
	mine->left = false;
	stack_enter(mine);
	return result;
}

WRAP_EXPORT int setcontext(const ucontext_t *context)
{
	context_begin(context);
	return WRAP_REAL(real.setcontext, "setcontext", NULL)(context);
}

/* Of coroutines that change stacks by other means: the program says so itself. */
WRAP_EXPORT void glimpse_context(const void *name)
{
	struct stack *s = thread.named;

	if (!name) {
		stack_now();
		stack_enter(&thread.own);
		return;
	}
	while (s && s->name != name)
		s = s->next;
	if (!s && (s = stack_new()) != NULL) {
		s->name = name;
		s->named = true;
		s->next = thread.named;
		thread.named = s;
	}
	if (s)
		stack_enter(s);
}
