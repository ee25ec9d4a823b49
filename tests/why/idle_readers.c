/* A hot lock of two threads, beside twelve threads that wait for input that never comes. */
#include "plant.h"

enum { READERS = 12 };

static pthread_mutex_t hot = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];

static void *idle(void *unused)
{
	char byte;

	return read(ends[0], &byte, 1) < 0 ? NULL : unused;
}

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
	pthread_t readers[READERS];

	if (pipe(ends))
		exit(1);
	for (int i = 0; i < READERS; i++)
		pthread_create(&readers[i], NULL, idle, NULL);
	start(2, "worker", turns);
	join(2);
	close(ends[1]);
	for (int i = 0; i < READERS; i++)
		pthread_join(readers[i], NULL);
}
