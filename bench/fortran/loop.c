/* The events in C, and the clock. */
#include "pair_glimpse.h"
#include <time.h>

double cpu_ns(void);
void loop_c(int n);

double cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

void loop_c(int n)
{
	for (int i = 0; i < n; i++)
		Tick_Stamp(i, 2);
}
