#include "runtime/guard.h"
#include "runtime/glimpse.h"
#include "runtime/system.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>

__thread int glimpse_guarded __attribute__((tls_model("initial-exec")));

/*
 * Blocks every signal, also those of libc itself, which sigprocmask() leaves out. Otherwise an
 * asynchronous cancellation that is pending when the cancel state changes would end the thread
 * with a lock held: glibc 2.36 then checks the cancel type alone, and open() and similar functions
 * set the type for a moment.
 */
static void signals_block(struct guard *g)
{
	unsigned char all[KERNEL_SIGNALS_SIZE];

	memset(all, 0xff, sizeof all);
	system_signals_set(all, g->signals);
}

/*
 * ThreadSanitizer keeps signals back, and calls their handlers at the end of functions that it
 * intercepts, blocked signals or not: here, before anything is locked.
 */
extern void __tsan_init(void) __attribute__((weak));

/* Lets AddressSanitizer forget the frames that a cancelled thread leaves. */
extern void __asan_handle_no_return(void) __attribute__((weak));

static unsigned inside; /* threads that may make system calls for us */

/* The last call within the guard. */
static void signals_restore(void *guard)
{
	struct guard *g = guard;

	system_signals_set(g->signals, NULL);
	gl_guard_passed();
}

static enum guard_gate gate;

void gl_guard_gate(enum guard_gate now)
{
	__atomic_store_n(&gate, now, __ATOMIC_SEQ_CST);
}

enum guard_gate gl_guard_gate_now(void)
{
	return __atomic_load_n(&gate, __ATOMIC_SEQ_CST);
}

/* Once the gate is shut for good, wrappers in this thread need not ask again. */
static bool gate_is_open(void)
{
	enum guard_gate now = gl_guard_gate_now();

	if (now == GUARD_SHUT_FOR_GOOD)
		glimpse_guarded = 1;
	return now == GUARD_OPEN;
}

void gl_guard_await(void)
{
	static const struct timespec moment = { 0, 50000 };

	for (int i = 0; i < 2000 && __atomic_load_n(&inside, __ATOMIC_SEQ_CST); i++)
		system_nanosleep(&moment);
}

void gl_guard_forget(void)
{
	__atomic_store_n(&inside, glimpse_guarded != 0, __ATOMIC_SEQ_CST);
}

/* Who counts itself before it looks at the gate is waited for, or finds it shut. */
bool gl_guard_pass(void)
{
	__atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST);
	if (gate_is_open())
		return true;
	gl_guard_passed();
	return false;
}

void gl_guard_passed(void)
{
	__atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
}

bool gl_guard_enter(struct guard *g)
{
	int error = errno;

	if (glimpse_guarded || !gl_guard_pass())
		return false;
	signals_block(g);
	if (__tsan_init)
		pthread_sigmask(SIG_BLOCK, NULL, NULL);
	glimpse_guarded = 1;
	g->error = error;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &g->cancel);
	return true;
}

/*
 * The signals come last, since a handler may leave by siglongjmp(). A thread whose cancellation is
 * asynchronous and pending ends as its cancel state is restored; its cleanup handlers run with its
 * own signal mask.
 */
void gl_guard_leave(struct guard *g)
{
	glimpse_guarded = 0;
	errno = g->error;
	if (__asan_handle_no_return)
		__asan_handle_no_return();
	pthread_cleanup_push(signals_restore, g);
	pthread_setcancelstate(g->cancel, NULL);
	pthread_cleanup_pop(1);
}
