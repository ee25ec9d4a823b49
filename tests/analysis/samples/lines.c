/*
 * Two lines of one function that take three quarters and a quarter of its time, on the thread's own clock; of each thread.
 *	lines THREADS
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* n times some 100 us, in one line of the caller. */
#define ROUNDS(n) \
	for (int i = 0; i < n * 50000; i++) \
	sink = sink * 1664525 + 1013904223

__attribute__((noinline)) static void compute(long us)
{
	long end = now() + us;

	while (now() < end) {
		ROUNDS(3); /* three */
		ROUNDS(1); /* one */
	}
}

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++)
		compute(100000);
	return unused;
}

int main(int n, char **arguments)
{
	int count = n > 1 ? atoi(arguments[1]) : 1;
	pthread_t threads[8];

	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
