/* After tests/why/second_half.c: well balanced at first, then everything happens under one lock; again and again. */
#include "part.h"

enum { HOLDS = 10 };

static pthread_mutex_t end_lock = PTHREAD_MUTEX_INITIALIZER;

PART(balanced, 4000)
PART(locked, 300)
PART(unlocked, 30)

static void *turns(void *unused)
{
	balanced();
	for (int i = 0; i < HOLDS; i++) {
		pthread_mutex_lock(&end_lock);
		locked();
		pthread_mutex_unlock(&end_lock);
		unlocked();
	}
	return unused;
}

static void program(void)
{
	for (int i = 0; i < rounds; i++) {
		two(turns, turns);
		COZ_PROGRESS;
	}
}
