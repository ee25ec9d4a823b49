/*
 * Waits and wake-ups by the system call futex(), which locks of Rust, C++20, Abseil and others make
 * through syscall(). Locks of the C library make theirs without it.
 *
 * The word is never read: after a wake-up its memory may be another thread's, or gone. What the
 * caller gives besides is read only once the kernel has taken it.
 */
#include "probes/follow_exec/any_call.h"
#include "probes/follow_exec/jump.h"
#include "probes/threads/futex_operations.h"
#include "probes/threads/futex_words.h"
#include "probes/threads/priority.h"
#include "probes/threads/wait_limit.h"
#include "runtime/system.h"

/* Numbers of newer kernels, the same for all processors. */
#define CALL_WAITV 449
#define CALL_WAKE 454
#define CALL_WAIT 455
#define CALL_REQUEUE 456

/* A thread logs so many wake-ups at most for one call. */
enum { MOST_WOKEN = 10000 };

/* An element of what futex_waitv() and futex_requeue() take. */
struct futex_element {
	uint64_t value, word;
	uint32_t flags, reserved;
};

struct futex_call {
	long number;
	long arguments[6];
};

static long call_next(const struct futex_call *c)
{
	const long *a = c->arguments;

	return ((system_call *)REAL(syscall))(c->number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- what a call does ---- */

/* A time limit of a call. */
struct futex_limit {
	const struct timespec *time; /* NULL: it has none */
	bool absolute;
	clockid_t clock;
};

struct futex_wait {
	const void *word;
	bool private;
	bool several; /* the word is a list of words, as of futex_waitv() */
	struct futex_limit limit;
};

static bool wait_of_futex(const struct futex_call *c, struct futex_wait *w)
{
	int operation = (int)c->arguments[1];
	clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;

	*w = (struct futex_wait){.word = (const void *)c->arguments[0],
				 .private = operation & FUTEX_PRIVATE_FLAG,
				 .limit = {(const struct timespec *)c->arguments[3], true, clock}};
	if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
		w->limit.absolute = false;
	if ((operation & FUTEX_CMD_MASK) == FUTEX_LOCK_PI)
		w->limit.clock = CLOCK_REALTIME;
	return futex_operation_waits(operation);
}

static bool wait_of(const struct futex_call *c, struct futex_wait *w)
{
	const long *a = c->arguments;

	switch (c->number) {
	case SYS_futex:
		return wait_of_futex(c, w);
	case CALL_WAIT:
		*w = (struct futex_wait){
		    .word = (const void *)a[0],
		    .private = a[3] & FUTEX_PRIVATE_FLAG,
		    .limit = {(const struct timespec *)a[4], true, (clockid_t)a[5]}};
		return true;
	case CALL_WAITV:
		*w = (struct futex_wait){
		    .word = (const void *)a[0],
		    .private = true,
		    .several = true,
		    .limit = {(const struct timespec *)a[3], true, (clockid_t)a[4]}};
		return true;
	default:
		return false;
	}
}

/* Up to two words whose waiting threads a call wakes. */
struct waking {
	const void *word, *second;
	const void *to; /* threads that are not woken wait for this word from now on; NULL: none */
	bool private;
	bool one; /* the result is 0 if a thread may have been woken, not how many */
};

static bool wake_of_futex(const struct futex_call *c, struct waking *w)
{
	int operation = (int)c->arguments[1];
	const void *second = (const void *)c->arguments[4];

	*w = (struct waking){.word = (const void *)c->arguments[0],
			     .private = operation & FUTEX_PRIVATE_FLAG};
	if (futex_operation_moves(operation))
		w->to = second;
	if ((operation & FUTEX_CMD_MASK) == FUTEX_WAKE_OP)
		w->second = second;
	w->one = (operation & FUTEX_CMD_MASK) == FUTEX_UNLOCK_PI;
	return futex_operation_wakes(operation);
}

static bool wake_of(const struct futex_call *c, struct waking *w)
{
	const long *a = c->arguments;

	switch (c->number) {
	case SYS_futex:
		return wake_of_futex(c, w);
	case CALL_WAKE:
		*w = (struct waking){.word = (const void *)a[0],
				     .private = a[3] & FUTEX_PRIVATE_FLAG};
		return true;
	default:
		return false;
	}
}

/* ---- waits ---- */

/* How long the wait may last; 0: it has no limit, or that is not known. */
static int64_t limit_left(const struct futex_limit *l, const struct timespec *began)
{
	int64_t left = (int64_t)l->time->tv_sec * 1000000000 + l->time->tv_nsec;

	return l->absolute ? left - (int64_t)began->tv_sec * 1000000000 - began->tv_nsec : left;
}

static void limit_begin(const struct futex_limit *l, struct timespec *began)
{
	if (l->time && l->absolute && (l->clock == CLOCK_REALTIME || l->clock == CLOCK_MONOTONIC))
		system_clock_gettime(l->clock, began);
}

static void futex_ended(const struct futex_wait *w, uint64_t since, long result, int error,
			const struct timespec *began)
{
	const void *word = w->word;
	uint64_t now = now_after();

	/* an interrupted call has read it, too */
	if (w->limit.time && error != EFAULT && error != EINVAL && error != EAGAIN) {
		int64_t left = limit_left(&w->limit, began);

		if (left)
			WaitLimit_StampAt(since, left);
	}
	if (w->several && result >= 0)
		word = (const void *)((const struct futex_element *)w->word)[result].word;
	FutexEnd_StampAt(now, w->word, futex_key(word, w->private), error, since);
	if (!error)
		futex_word_got(word, now);
	if (error == EINTR)
		wait_interrupted(since, now);
}

static long futex_waits(const struct futex_call *c, const struct futex_wait *w, const void *site,
			uintptr_t frame)
{
	struct timespec began = {0};
	struct wait outer;
	uint64_t since;
	uint32_t stack;
	long result;
	int error = errno;

	limit_begin(&w->limit, &began);
	priority_check();
	since = glimpse_now();
	stack = wait_stack_number(since);
	futex_word_busy(w->word, since, stack);
	FutexBegin_StampAt(since, w->word, site, stack);
	wait_begin((struct wait){WAIT_FUTEX, w->word, NULL, site, since, frame, NULL}, &outer);
	errno = error;
	result = call_next(c);
	error = errno;
	wait_end(&outer);
	futex_ended(w, since, result, result < 0 ? error : 0, &began);
	errno = error;
	return result;
}

/* ---- wake-ups ---- */

/* Logs that threads which waited for the word were woken, each with an event of its own. */
static void woken_log(const struct waking *w, const void *word, struct futex_hold held,
		      uint64_t ticks, long woken, const void *site)
{
	uint32_t stack = wait_stack_number(ticks);
	uint64_t key = futex_key(word, w->private), at = now_after();

	if (held.since)
		FutexHeld_StampAt(held.since, word, site, stack, held.waiter);
	for (long i = 0; i < woken && i < MOST_WOKEN; i++)
		FutexWake_StampAt(ticks, word, site, stack, held.waiter, key, at);
}

static long futex_wakes(const struct futex_call *c, const struct waking *w, const void *site)
{
	uint64_t ticks = glimpse_now();
	struct futex_hold held = futex_word_released(w->word), none = {0};
	const void *from = futex_word_moved(w->word);
	long result = call_next(c), woken = w->one ? !result : result;
	int error = errno;

	if (w->to && result > 0)
		futex_word_move(w->word, w->to);
	if (woken > 0) {
		woken_log(w, w->word, held, ticks, woken, site);
		if (w->second)
			woken_log(w, w->second, none, ticks, woken, site);
		if (from)
			woken_log(w, from, none, ticks, woken, site);
	}
	errno = error;
	return result;
}

/* ---- the calls ---- */

static __attribute__((noinline)) long futex_call(long number, long a, long b, long c, long d,
						 long e, long f)
{
	struct futex_call call = {number, {a, b, c, d, e, f}};
	struct futex_wait wait;
	struct waking wake;

	/* before the constructors the specification is not registered */
	if (!process_id || QUIET())
		return call_next(&call);
	if (wait_of(&call, &wait))
		return futex_waits(&call, &wait, WRAP_SITE, FRAME);
	if (wake_of(&call, &wake))
		return futex_wakes(&call, &wake, WRAP_SITE);
	return call_next(&call);
}

static inline bool is_futex_call(long number)
{
	return number == SYS_futex || number == CALL_WAITV ||
	       (unsigned long)number - CALL_WAKE <= CALL_REQUEUE - CALL_WAKE;
}

JUMPS_BEGIN

WRAP_EXPORT long futex_any_call(long number, long a, long b, long c, long d, long e,
				long f) __asm__("syscall");

/* All other calls are jumps: a child may go on where its parent's frames are not. */
long futex_any_call(long number, long a, long b, long c, long d, long e, long f)
{
	system_call *next;

	if (__builtin_expect(is_futex_call(number), 1))
		JUMP futex_call(number, a, b, c, d, e, f);
	next = (system_call *)REAL(syscall);
	JUMP next(number, a, b, c, d, e, f);
}

JUMPS_END
