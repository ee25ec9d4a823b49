/*
 * storm ACQUISITIONS: two threads that take one mutex so often in all, as SQLite's do around its allocator: each
 * time for some ns, and now and then one of them has to wait.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long each;
static uint64_t bytes;

static void count(uint64_t n)
{
	pthread_mutex_lock(&lock);
	bytes += n;
	pthread_mutex_unlock(&lock);
}

static void *work(void *number)
{
	uint64_t state = (uint64_t)(uintptr_t)number;
	volatile uint64_t made = 0;

	for (long i = 0; i < each; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		count(state >> 60);
		for (uint64_t k = 0; k < state >> 59; k++)
			made += k;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	each = (argc > 1 ? atol(argv[1]) : 100000) / THREADS;
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return !bytes;
}
