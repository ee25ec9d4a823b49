/* Semaphores, of this process and named ones. */
#include "probes/threads/priority.h"
#include "probes/threads/wait_limit.h"
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>

WRAP_EXPORT int sem_init(sem_t *semaphore, int shared, unsigned value)
{
	int result = REAL(sem_init)(semaphore, shared, value);

	if (!QUIET() && !result)
		SemInit_Stamp(semaphore, WRAP_SITE);
	return result;
}

WRAP_EXPORT int sem_destroy(sem_t *semaphore)
{
	if (!QUIET())
		SemDestroy_Stamp(semaphore, WRAP_SITE);
	return REAL(sem_destroy)(semaphore);
}

WRAP_EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
	unsigned mode = 0, value = 0;
	va_list more;
	sem_t *semaphore;

	if (flags & O_CREAT) {
		va_start(more, flags);
		mode = va_arg(more, unsigned);
		value = va_arg(more, unsigned);
		va_end(more);
	}
	semaphore = REAL(sem_open)(name, flags, mode, value);
	if (!QUIET() && semaphore != SEM_FAILED) {
		SemOpen_Stamp(semaphore, name);
		glimpse_name(semaphore, name);
	}
	return semaphore;
}

WRAP_EXPORT int sem_close(sem_t *semaphore)
{
	if (!QUIET())
		SemDestroy_Stamp(semaphore, WRAP_SITE);
	return REAL(sem_close)(semaphore);
}

/*
 * ---- Waiting ----------------------------------------------------------------------------------
 */

/* Takes the semaphore if it is free. errno is left alone. */
static bool sem_take(sem_t *semaphore, const void *site)
{
	int error = errno;

	if (!REAL(sem_trywait)(semaphore)) {
		SemTake_Stamp(semaphore, site);
		return true;
	}
	errno = error;
	return false;
}

/* `since` is a time before the semaphore was found taken: a post after it may end the wait. */
static void sem_begin(sem_t *semaphore, const void *site, uint64_t since, uintptr_t frame,
		      struct wait *outer)
{
	uint64_t now;

	priority_check();
	now = glimpse_now();
	SemBusy_StampAt(now, semaphore, site);
	wait_stack(now);
	wait_begin((struct wait){WAIT_SEMAPHORE, semaphore, NULL, site, since, frame, NULL}, outer);
}

static void sem_end(sem_t *semaphore, int result, uint64_t since, const struct wait *outer)
{
	uint64_t now = now_after();

	wait_end(outer);
	SemEnd_StampAt(now, semaphore, process_id, result ? errno : 0, since);
}

/* Waits: `call` does. The calls are cancellation points also where they need not wait. */
#define WAIT(semaphore, valid, call) \
	(__extension__({ \
		uint64_t since_; \
		int result_ = 0; \
		WAIT_UNWINDS(); \
		if (valid) \
			pthread_testcancel(); \
		since_ = glimpse_now(); \
		if (!(valid) || !sem_take(semaphore, WRAP_SITE)) { \
			struct wait outer_; \
			sem_begin(semaphore, WRAP_SITE, since_, FRAME, &outer_); \
			result_ = (call); \
			sem_end(semaphore, result_, since_, &outer_); \
		} \
		result_; \
	}))

WRAP_EXPORT int sem_wait(sem_t *semaphore)
{
	if (QUIET())
		return REAL(sem_wait)(semaphore);
	return WAIT(semaphore, true, REAL(sem_wait)(semaphore));
}

WRAP_EXPORT int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until)
{
	if (QUIET())
		return REAL(sem_timedwait)(semaphore, until);
	return WAIT(semaphore, until_valid(CLOCK_REALTIME, until),
		    (wait_limit(CLOCK_REALTIME, until), REAL(sem_timedwait)(semaphore, until)));
}

WRAP_EXPORT int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
			      const struct timespec *restrict until)
{
	if (QUIET())
		return REAL(sem_clockwait)(semaphore, clock, until);
	return WAIT(semaphore, until_valid(clock, until),
		    (wait_limit(clock, until), REAL(sem_clockwait)(semaphore, clock, until)));
}

WRAP_EXPORT int sem_trywait(sem_t *semaphore)
{
	int result;

	if (QUIET())
		return REAL(sem_trywait)(semaphore);
	result = REAL(sem_trywait)(semaphore);
	if (result)
		SemMissed_Stamp(semaphore, WRAP_SITE);
	else
		SemTake_Stamp(semaphore, WRAP_SITE);
	return result;
}

/* After a post the semaphore's memory may be another thread's. */
/* `at` is a time after the post: a thread that began to wait in the midst of it is woken, too. */
WRAP_EXPORT int sem_post(sem_t *semaphore)
{
	uint64_t ticks;
	int result;

	if (QUIET())
		return REAL(sem_post)(semaphore);
	ticks = glimpse_now();
	result = REAL(sem_post)(semaphore);
	if (!result)
		SemPost_StampAt(ticks, semaphore, WRAP_SITE, process_id, now_after());
	return result;
}
