/* After tests/why/barrier.c: one of two threads has four times the work between barriers. */
#include "part.h"

static pthread_barrier_t gate;

PART(long_share, 1600)
PART(short_share, 400)

static void *turns(void *is_second)
{
	for (int i = 0; i < rounds; i++) {
		if (is_second)
			short_share();
		else
			long_share();
		pthread_barrier_wait(&gate);
		if (is_second)
			COZ_PROGRESS;
	}
	return NULL;
}

static void program(void)
{
	pthread_barrier_init(&gate, NULL, 2);
	two(turns, turns);
}
