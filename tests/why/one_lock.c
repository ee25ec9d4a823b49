/* Twenty threads that wait for one lock for 95 % of their time, and compute while they have it. */
#include "plant.h"

enum { WORKERS = 20 };

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

static void *turns(void *unused)
{
	for (int i = 0; i < 10 * size; i++) {
		pthread_mutex_lock(&one);
		work(mended ? 50 : 2000);
		pthread_mutex_unlock(&one);
	}
	return unused;
}

static void plant(void)
{
	start(WORKERS, "worker", turns);
	join(WORKERS);
}
