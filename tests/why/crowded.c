/* Many threads for few processors, which have a lock for a moment: that is not what they wait for. */
#include "plant.h"

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;

static void *turns(void *unused)
{
	for (int i = 0; i < (mended ? 360 : 60) * size; i++) {
		work(400);
		pthread_mutex_lock(&counter);
		work(2);
		pthread_mutex_unlock(&counter);
	}
	return unused;
}

static void plant(void)
{
	int n = mended ? 2 : 12;

	start(n, "worker", turns);
	join(n);
}
