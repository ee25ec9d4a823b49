#include "probes/threads/wait_limit.h"
#include "runtime/system.h"
#include <stdlib.h>

int64_t time_left(clockid_t clock, const struct timespec *until)
{
	struct timespec now;
	int error = errno, result = -1;

	if (until_valid(clock, until))
		result = system_clock_gettime(clock, &now);
	errno = error;
	if (result)
		return 0;
	if (until->tv_sec - now.tv_sec > INT32_MAX || now.tv_sec - until->tv_sec > INT32_MAX)
		return 0;
	return ((int64_t)until->tv_sec - now.tv_sec) * 1000000000 + until->tv_nsec - now.tv_nsec;
}

static void limit_log(int64_t left)
{
	if (left)
		WaitLimit_Stamp(left);
}

void wait_limit(clockid_t clock, const struct timespec *until)
{
	limit_log(time_left(clock, until));
}

/* The clocks are years apart: the deadline is a time of the nearer one. */
void wait_limit_any_clock(const struct timespec *until)
{
	int64_t left = time_left(CLOCK_REALTIME, until);
	int64_t monotonic = time_left(CLOCK_MONOTONIC, until);

	if (!left || (monotonic && llabs(monotonic) < llabs(left)))
		left = monotonic;
	limit_log(left);
}
