/* What each thread computes, it computes while it has the lock. */
#include "plant.h"

static pthread_mutex_t hot = PTHREAD_MUTEX_INITIALIZER;

static void *turns(void *unused)
{
	for (int i = 0; i < 40 * size; i++) {
		pthread_mutex_lock(&hot);
		work(mended ? 50 : 2000);
		pthread_mutex_unlock(&hot);
		work(mended ? 2050 : 100);
	}
	return unused;
}

static void plant(void)
{
	start(2, "worker", turns);
	join(2);
}
