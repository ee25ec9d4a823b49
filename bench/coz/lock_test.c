/* A lock that two threads hold for more than half of the time. */
#include "part.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PART(outside, 150)
PART(inside, 200)

static void *turns(void *unused)
{
	for (int i = 0; i < rounds; i++) {
		outside();
		pthread_mutex_lock(&lock);
		inside();
		pthread_mutex_unlock(&lock);
		COZ_PROGRESS;
	}
	return unused;
}

static void program(void)
{
	two(turns, turns);
}
