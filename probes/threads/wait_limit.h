/* Logs the time limits of waits. Only calls with a limit come here, and only once they wait. */
#ifndef GLIMPSE_PROBES_THREADS_WAIT_LIMIT_H
#define GLIMPSE_PROBES_THREADS_WAIT_LIMIT_H

#include "probes/threads/threads.h"

/*
 * Returns how many nanoseconds are left until a time of a clock: negative if it is over; 0: that is
 * not known. errno is left alone.
 */
int64_t time_left(clockid_t clock, const struct timespec *until);

/*
 * Logs until when the wait lasts at most that the thread has just begun. Nothing if that is not
 * known.
 */
void wait_limit(clockid_t clock, const struct timespec *until);
/*
 * The same for a condition variable, which alone knows whether its clock is the realtime or the
 * monotonic one.
 */
void wait_limit_any_clock(const struct timespec *until);

#endif
