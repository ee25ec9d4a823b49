/* Four threads stand in line for a lock, again and again: each has it for longer than it needs for all else. */
#include "plant.h"

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;

static void *turns(void *unused)
{
	for (int i = 0; i < 100 * size; i++) {
		pthread_mutex_lock(&counter);
		if (!mended)
			usleep(300);
		pthread_mutex_unlock(&counter);
		if (mended)
			usleep(300);
		work(100);
	}
	return unused;
}

static void plant(void)
{
	start(4, "worker", turns);
	join(4);
}
