/* What the wrappers of this probe share: the real functions, and the waits that a thread is in. */
#ifndef GLIMPSE_PROBES_THREADS_H
#define GLIMPSE_PROBES_THREADS_H

#include "probes/threads/libc.h"
#include "probes/wrap.h"
#include "threads_glimpse.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define BARE_VERSION "GLIBC_2.2.5"
#define NEW_VERSION "GLIBC_2.3.2"

/* Only glibc for x86-64 is old enough to have two versions of a function. */
#if defined __x86_64__ && defined THREADS_OLD_VERSIONS
#define BOTH_VERSIONS 1
#else
#define BOTH_VERSIONS 0
#endif

struct real_threads {
#define ENTRY(name) __typeof__(&name) name;
#define VERSIONED(name) __typeof__(&name) name, old_##name;
#include "probes/threads/entries.h"
#undef ENTRY
#undef VERSIONED
};

extern struct real_threads real;

/* The id of the process; 0 before the constructors. */
extern uint32_t process_id;

#define REAL(name) WRAP_REAL(real.name, #name, NULL)
#if BOTH_VERSIONS
#define REAL_NEW(name) WRAP_REAL_NEWER(real.name, #name, BARE_VERSION, NEW_VERSION)
#else
#define REAL_NEW(name) REAL(name)
#endif
#define REAL_OLD(name) WRAP_REAL(real.old_##name, #name, BARE_VERSION)

/* Numbers of events, in the order of threads.spec. */
enum { LOCK_EVENT, UNLOCK_EVENT, WAIT_STACK_EVENT };

/* Bytes for what is logged while a lock is held. */
#define ROOM 256u

/*
 * ---- Waits that may be left without a return ---------------------------------------------------
 *
 * Cancellation, and a signal handler's siglongjmp(), leave a function in which the thread waits, so
 * the thread remembers where it waits. No cleanup handler is registered, as a jump would not take
 * it back. Cancellation unwinds the stack: the functions that wait have a personality, which the
 * unwinder calls and which logs the end of the wait. After a jump the next wrapper does that which
 * is called from a frame that is not below the one that waited.
 */
enum wait_kind {
	WAIT_NONE,
	WAIT_CONDITION,
	WAIT_SEMAPHORE,
	WAIT_JOIN,
	WAIT_SLEEP,
	WAIT_CHILD,
	WAIT_FUTEX,
	WAIT_FORKED /* none: the process was forked, and its start is not logged yet */
};

struct wait {
	enum wait_kind kind;
	const void *object, *lock;
	const void *site;
	uint64_t since;
	uintptr_t frame;
	const struct wait *outer; /* what the thread was in before, as handlers are */
};

extern __thread struct wait wait_now __attribute__((tls_model("initial-exec")));

/* The frame of the wrapper that this stands in. */
#define FRAME ((uintptr_t)__builtin_dwarf_cfa())

/* Begins a wait; *outer, of the function that waits, takes the one that it is nested in. */
static inline void wait_begin(struct wait w, struct wait *outer)
{
	*outer = wait_now;
	w.outer = outer;
	wait_now = w;
}

static inline void wait_end(const struct wait *outer)
{
	wait_now = *outer;
}

/*
 * Logs the call stack of a wait that begins `now`, right after the event that begins it. Frames of
 * this library are left out.
 */
__attribute__((noinline)) void wait_stack(uint64_t now);
/* The number of the thread's stack, for an event of that time; 0: stacks are not logged. */
__attribute__((noinline)) uint32_t wait_stack_number(uint64_t now);

/* Stands in each function that waits. 0x1b: the address is relative, of 4 bytes. */
#define WAIT_UNWINDS() __asm__ __volatile__(".cfi_personality 0x1b, wait_unwound")

/* Logs the ends of waits that are over because `frame` runs. */
void wait_left(uintptr_t frame);

/*
 * A wait for something else, since then, ends now; may: perhaps by the end of a child, as it was
 * interrupted or was at the end of its input.
 */
void child_may_wake(uint64_t since, uint64_t now, bool may);
/* A wait for something else, since then, ends now because a signal interrupted it. */
void wait_interrupted(uint64_t since, uint64_t now);

/*
 * A read from a descriptor, or a write, since then, is over; outcome: the result of InputEnd and
 * OutputEnd. Returns its end. May change errno.
 */
uint64_t descriptor_read(int fd, uint64_t since, int64_t outcome, const void *site);
uint64_t descriptor_written(int fd, uint64_t since, int64_t outcome, const void *site);
/* A stream is about to be closed, or to end with the process: that writes what is pending. */
void stream_ends(FILE *file, const void *site);

/* Before a stream is closed: logs that others wait for its descriptor no longer. */
void stream_closes(FILE *file, const void *site);

/* Logs that the calling thread, of a forked process, started at `ticks`. */
void thread_starts_late(uint64_t ticks);

/* How every wrapper begins: returns whether it must call the real function and do nothing else. */
#define QUIET() \
	(wrap_quiet() || \
	 (__builtin_expect(wait_now.kind != WAIT_NONE, 0) ? wait_left(FRAME), false : false))

/*
 * Returns whether a wait until `until` would begin at all if what it waits for were not there: else
 * the real function says what is wrong, also where it could go on at once.
 */
static inline bool until_valid(clockid_t clock, const struct timespec *until)
{
	return until && (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) &&
	       until->tv_nsec >= 0 && until->tv_nsec < 1000000000;
}

/*
 * The time of what just happened. The processor may read its counter before an earlier instruction
 * is done, such as taking a lock that another thread has in its cache.
 */
static inline uint64_t now_after(void)
{
#if defined __x86_64__ || defined __i386__
	__builtin_ia32_lfence();
#elif defined __aarch64__
	__asm__ __volatile__("isb" ::: "memory");
#endif
	return glimpse_now();
}

/* The result of a C11 function as an errno value. */
static inline int c11_error(int result)
{
	switch (result) {
	case thrd_success:
		return 0;
	case thrd_timedout:
		return ETIMEDOUT;
	case thrd_busy:
		return EBUSY;
	case thrd_nomem:
		return ENOMEM;
	default:
		return EINVAL;
	}
}

#endif
