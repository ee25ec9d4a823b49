/* Computes when a wait must end, for pthread_cond_timedwait() and sem_timedwait(). */
#ifndef GLIMPSE_BASE_DEADLINE_H
#define GLIMPSE_BASE_DEADLINE_H

#include <time.h>

/* Returns the time of a clock so many milliseconds from now. */
static inline struct timespec deadline_after(clockid_t clock, long milliseconds)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += milliseconds % 1000 * 1000000;
	t.tv_sec += milliseconds / 1000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

#endif
