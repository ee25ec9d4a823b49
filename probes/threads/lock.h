/*
 * Taking and releasing locks of any kind. What is free costs one event; what is not says so first.
 * The time of a lock's taking is read right after it, and that of its release right before it; the
 * record of the release is written when the lock is free again.
 */
#ifndef GLIMPSE_PROBES_THREADS_LOCK_H
#define GLIMPSE_PROBES_THREADS_LOCK_H

#include "probes/threads/lock_way.h"
#include "probes/threads/priority.h"
#include "probes/threads/wait_limit.h"

enum { EXCLUSIVE, SHARED };

/* The attribute `mode` of events. */
static inline unsigned lock_mode(unsigned shared)
{
	return process_id * 2 + shared;
}

/* Whether the caller has the lock: EOWNERDEAD says that its last owner died. */
static inline bool lock_taken(int result)
{
	return !result || result == EOWNERDEAD;
}

/* As the result of a try: the lock seems to be free, and was not taken. */
#define LOCK_UNTRIED (-1)

/* Whether the lock is to be waited for after such a result. */
static inline bool lock_waits(int tried)
{
	return tried != LOCK_UNTRIED && !lock_taken(tried);
}

/* Whether the lock was switched off; see lock_auto_off.h. */
static inline bool lock_is_off(const volatile void *lock)
{
	return __builtin_expect(lock_way == LOCKS_DROPPED, 0) &&
	       lock_is_auto_off((const void *)lock);
}

/* Log that the thread has the lock: since `now`, and asked for it at `since`. */
static inline void lock_log_at(uint64_t now, const volatile void *lock, const void *site,
			       uint64_t since)
{
	if (__builtin_expect(lock_way != LOCKS_LOGGED, 0))
		lock_way_take(now, (const void *)lock, site, since);
	else
		Lock_StampAt(now, (const void *)lock, site);
}

/* The same since just now. */
static inline void lock_log(const volatile void *lock, const void *site)
{
	if (__builtin_expect(lock_way != LOCKS_LOGGED, 0)) {
		lock_way_take(0, (const void *)lock, site, 0);
		return;
	}
	Lock_Stamp((const void *)lock, site);
	if (__builtin_expect(!--lock_budget, 0))
		lock_budget_look();
}

/* Log the begin and the end of a wait for a lock. Returns when it began; 0: that is not logged. */
static inline uint64_t lock_busy(const volatile void *lock, const void *site, int tried)
{
	uint64_t now = 0;

	if (lock_waits(tried) && !lock_is_off(lock)) {
		lock_way_contend(lock);
		priority_check();
		now = glimpse_now();
		LockBusy_StampAt(now, (const void *)lock, site);
		wait_stack(now);
	}
	glimpse_reserve(ROOM);
	return now;
}

static inline void lock_waited(const volatile void *lock, const void *site, unsigned shared,
			       uint64_t since, int result)
{
	uint64_t now = now_after();

	if (since)
		LockEnd_StampAt(now, (const void *)lock, lock_mode(shared), result);
	if (lock_taken(result))
		lock_log_at(now, lock, site, since ? since : now);
}

/* Log a release: the first is called before it and says what the second, after it, has to log. */
static inline struct lock_release lock_releasing(uint64_t now, const volatile void *lock)
{
	if (__builtin_expect(lock_way != LOCKS_LOGGED, 0))
		return lock_way_release(now, (const void *)lock);
	return (struct lock_release){.logged = true};
}

static inline void lock_released(uint64_t now, const volatile void *lock, const void *site,
				 unsigned shared, struct lock_release r)
{
	if (r.late)
		Lock_StampAt(now, (const void *)lock, r.late);
	if (r.logged)
		Unlock_StampAt(now, (const void *)lock, site, lock_mode(shared));
	if (r.why)
		LockOff_StampAt(now, (const void *)lock, auto_off_why_text(r.why), r.calls, r.mean);
}

/*
 * Takes a lock: `try` and `wait` are calls, which return 0 or an errno value. What `try` cannot do
 * is left to `wait`, with its result: only that one tells a lock that the thread itself has.
 */
#define ACQUIRE_AT(lock, site, shared, try, wait) \
	(__extension__({ \
		int result_ = 0, tried_; \
		uint64_t since_; \
		glimpse_reserve(ROOM); \
		tried_ = (try); \
		if (WRAP_LIKELY(!tried_)) { \
			lock_log(lock, site); \
		} else { \
			since_ = lock_busy(lock, site, tried_); \
			result_ = tried_ == EOWNERDEAD ? tried_ : (wait); \
			lock_waited(lock, site, shared, since_, result_); \
		} \
		result_; \
	}))
#define ACQUIRE(lock, shared, try, wait) ACQUIRE_AT(lock, WRAP_SITE, shared, try, wait)
/*
 * The same until a time of a clock. Reads since_ of ACQUIRE_AT(): a wait that is not logged has no
 * limit.
 */
#define ACQUIRE_UNTIL(lock, shared, clock, until, try, wait) \
	ACQUIRE(lock, shared, until_valid(clock, until) ? (try) : EBUSY, \
		(since_ ? wait_limit(clock, until) : (void)0, (wait)))

static inline void lock_missed(const volatile void *lock, const void *site)
{
	lock_way_contend(lock);
	LockMissed_Stamp((const void *)lock, site);
}

/* Tries to take a lock. */
#define TRY(lock, try) \
	(__extension__({ \
		int result_; \
		glimpse_reserve(ROOM); \
		result_ = (try); \
		if (lock_taken(result_)) \
			lock_log(lock, WRAP_SITE); \
		else if (!lock_is_off(lock)) \
			lock_missed(lock, WRAP_SITE); \
		result_; \
	}))

/* Releases a lock, after which its memory may be another thread's. */
#define RELEASE_AT(lock, site, shared, release) \
	(__extension__({ \
		unsigned shared_ = (shared); \
		uint64_t ticks_ = glimpse_now(); \
		struct lock_release logs_ = lock_releasing(ticks_, lock); \
		int result_ = (release); \
		if (WRAP_LIKELY(!result_)) { \
			lock_released(ticks_, lock, site, shared_, logs_); \
			result_ = 0; \
		} \
		result_; \
	}))
#define RELEASE(lock, shared, release) RELEASE_AT(lock, WRAP_SITE, shared, release)

#define INIT(lock, init) \
	(__extension__({ \
		int result_ = (init); \
		if (!result_) { \
			lock_way_forget(glimpse_now(), lock); \
			LockInit_Stamp((const void *)(lock), WRAP_SITE); \
		} \
		result_; \
	}))
#define DESTROY(lock, destroy) \
	(__extension__({ \
		uint64_t ticks_ = glimpse_now(); \
		int result_ = (destroy); \
		if (!result_) { \
			lock_way_forget(ticks_, lock); \
			LockDestroy_StampAt(ticks_, (const void *)(lock), WRAP_SITE); \
		} \
		result_; \
	}))

#endif
