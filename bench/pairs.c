/*
 * pairs YIELDS: eight threads take and release a lock of their own thirty times, then let others run: so many times
 * each. A recording has some 500 events for each of these yields of all threads.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { THREADS = 8, PAIRS = 30 };

static pthread_mutex_t locks[THREADS];
static long yields;

static void *run(void *lock)
{
	for (long i = 0; i < yields; i++) {
		for (int k = 0; k < PAIRS; k++) {
			pthread_mutex_lock(lock);
			pthread_mutex_unlock(lock);
		}
		sched_yield();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	yields = argc > 1 ? atol(argv[1]) : 1000;
	for (int i = 0; i < THREADS; i++) {
		pthread_mutex_init(&locks[i], NULL);
		pthread_create(&threads[i], NULL, run, &locks[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
