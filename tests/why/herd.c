/* Each of a thousand items wakes all of twenty-four threads. */
#include "plant.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;
static bool done;

static void *takes(void *unused)
{
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (!items && !done)
			pthread_cond_wait(&filled, &mutex);
		if (!items)
			break;
		items--;
		pthread_mutex_unlock(&mutex);
		work(50);
		pthread_mutex_lock(&mutex);
	}
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void plant(void)
{
	start(24, "worker", takes);
	for (int i = 0; i < 400 * size; i++) {
		work(50);
		pthread_mutex_lock(&mutex);
		items++;
		if (mended)
			pthread_cond_signal(&filled);
		else
			pthread_cond_broadcast(&filled);
		pthread_mutex_unlock(&mutex);
	}
	pthread_mutex_lock(&mutex);
	done = true;
	pthread_cond_broadcast(&filled);
	pthread_mutex_unlock(&mutex);
	join(24);
}
