/* A lock that both take often, and have for a moment. */
#include "plant.h"

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;
static long count;

static void *turns(void *unused)
{
	for (int i = 0; i < 1200 * size; i++) {
		work(100);
		pthread_mutex_lock(&counter);
		count++;
		pthread_mutex_unlock(&counter);
	}
	return unused;
}

static void plant(void)
{
	start(2, "worker", turns);
	join(2);
}
