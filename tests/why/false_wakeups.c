/* Each step wakes two threads that wait for the hundredth: they find it missing, and wait again. */
#include "plant.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stepped = PTHREAD_COND_INITIALIZER;
static int steps;
static bool done;

static void *hundredth(void *unused)
{
	pthread_mutex_lock(&mutex);
	for (int next = 100; !done; next += 100)
		while (steps < next && !done)
			pthread_cond_wait(&stepped, &mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *counts(void *unused)
{
	for (int i = 0; i < 500 * size; i++) {
		work(200);
		pthread_mutex_lock(&mutex);
		if (++steps % 100 == 0 || !mended)
			pthread_cond_broadcast(&stepped);
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

static void plant(void)
{
	pthread_t counters[2];

	start(2, "waiter", hundredth);
	for (int i = 0; i < 2; i++) {
		pthread_create(&counters[i], NULL, counts, NULL);
		pthread_setname_np(counters[i], i ? "counter 1" : "counter 0");
	}
	for (int i = 0; i < 2; i++)
		pthread_join(counters[i], NULL);
	pthread_mutex_lock(&mutex);
	done = true;
	pthread_cond_broadcast(&stepped);
	pthread_mutex_unlock(&mutex);
	join(2);
}
