/* The outer lock hides the inner one: without it the other one would be as hot. */
#include "plant.h"

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;

static void *turns(void *unused)
{
	for (int i = 0; i < 60 * size; i++) {
		if (!mended)
			pthread_mutex_lock(&outer);
		work(200);
		if (!mended)
			pthread_mutex_lock(&inner);
		usleep(800);
		if (!mended) {
			pthread_mutex_unlock(&inner);
			pthread_mutex_unlock(&outer);
		}
	}
	return unused;
}

static void plant(void)
{
	start(3, "worker", turns);
	join(3);
}
