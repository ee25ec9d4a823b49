/* Sleeping, and yielding the processor. */
#include "probes/threads/wait_limit.h"

/* until: the time of a clock that the sleep ends at; NULL: it does not end at one. */
static uint64_t sleep_begin(const void *site, uintptr_t frame, struct wait *outer, clockid_t clock,
			    const struct timespec *until)
{
	uint64_t now = glimpse_now();
	int64_t left = until ? time_left(clock, until) : 0;

	SleepBegin_StampAt(now, site);
	if (left)
		SleepUntil_StampAt(now, left);
	wait_stack(now);
	wait_begin((struct wait){WAIT_SLEEP, NULL, NULL, site, 0, frame, NULL}, outer);
	return now;
}

static void sleep_end(uint64_t since, int result, const struct wait *outer)
{
	uint64_t now;

	wait_end(outer);
	now = glimpse_now();
	SleepEnd_StampAt(now, result);
	if (result == EINTR)
		wait_interrupted(since, now);
}

/* Sleeps: `call` does, and `error` is its result as an errno value. */
#define SLEEP(call, error) SLEEP_UNTIL(call, error, CLOCK_MONOTONIC, NULL)
#define SLEEP_UNTIL(call, error, clock, until) \
	(__extension__({ \
		struct wait outer_; \
		uint64_t since_; \
		int result_; \
		WAIT_UNWINDS(); \
		since_ = sleep_begin(WRAP_SITE, FRAME, &outer_, clock, until); \
		result_ = (int)(call); \
		sleep_end(since_, error(result_), &outer_); \
		result_; \
	}))
#define BY_ERRNO(result) ((result) ? errno : 0)
#define POSIX_ERROR(result) (result)
#define LEFT_OVER(result) ((result) ? EINTR : 0)
#define BY_THRD(result) ((result) == -1 ? EINTR : (result) ? EINVAL : 0)

WRAP_EXPORT int nanosleep(const struct timespec *duration, struct timespec *left)
{
	if (QUIET())
		return REAL(nanosleep)(duration, left);
	return SLEEP(REAL(nanosleep)(duration, left), BY_ERRNO);
}

WRAP_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
				struct timespec *left)
{
	if (QUIET())
		return REAL(clock_nanosleep)(clock, flags, time, left);
	return SLEEP_UNTIL(REAL(clock_nanosleep)(clock, flags, time, left), POSIX_ERROR, clock,
			   flags & TIMER_ABSTIME ? time : NULL);
}

WRAP_EXPORT int usleep(useconds_t duration)
{
	if (QUIET())
		return REAL(usleep)(duration);
	return SLEEP(REAL(usleep)(duration), BY_ERRNO);
}

WRAP_EXPORT unsigned sleep(unsigned seconds)
{
	if (QUIET())
		return REAL(sleep)(seconds);
	return (unsigned)SLEEP(REAL(sleep)(seconds), LEFT_OVER);
}

WRAP_EXPORT int thrd_sleep(const struct timespec *duration, struct timespec *left)
{
	if (QUIET())
		return REAL(thrd_sleep)(duration, left);
	return SLEEP(REAL(thrd_sleep)(duration, left), BY_THRD);
}

WRAP_EXPORT int sched_yield(void)
{
	if (!QUIET())
		Yield_Stamp(WRAP_SITE);
	return REAL(sched_yield)();
}

WRAP_EXPORT void thrd_yield(void)
{
	if (!QUIET())
		Yield_Stamp(WRAP_SITE);
	REAL(thrd_yield)();
}
