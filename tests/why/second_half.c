/* Well balanced at first; then everything happens under one lock. */
#include "plant.h"

static pthread_mutex_t end_lock = PTHREAD_MUTEX_INITIALIZER;

static void *turns(void *unused)
{
	work(70000L * size);
	for (int i = 0; i < 80 * size; i++) {
		if (!mended)
			pthread_mutex_lock(&end_lock);
		work(1000);
		if (!mended)
			pthread_mutex_unlock(&end_lock);
		work(100);
	}
	return unused;
}

static void plant(void)
{
	start(2, "worker", turns);
	join(2);
}
