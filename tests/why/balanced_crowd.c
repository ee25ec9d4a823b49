/* Three threads for two processors: who has the lock may lose his, but hardly anybody waits for it. */
#include "plant.h"

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;

static void *turns(void *unused)
{
	for (int i = 0; i < 400 * size; i++) {
		work(200);
		pthread_mutex_lock(&counter);
		work(5);
		pthread_mutex_unlock(&counter);
	}
	return unused;
}

static void plant(void)
{
	start(3, "worker", turns);
	join(3);
}
