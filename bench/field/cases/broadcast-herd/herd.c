/*
 * A pool of twelve workers runs small jobs; the next one begins when one is done. Each is announced
 * with a broadcast. Argument: with a signal.
 */
#include <pthread.h>
#include <stdbool.h>

enum { WORKERS = 12, JOBS = 6000 };

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t any = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int jobs, ran;
static bool closed, one;

/* Computes for about 2 us for each thousand. */
__attribute__((noinline)) static void compute(long thousands)
{
	unsigned long x = 1;
	volatile unsigned long result;

	for (long i = 0; i < thousands * 1000; i++) {
		x = x * 6364136223846793005u + 1;
		x ^= x >> 29;
	}
	result = x;
	(void)result;
}

static void announce(void)
{
	if (one)
		pthread_cond_signal(&any);
	else
		pthread_cond_broadcast(&any);
}

static void *work(void *unused)
{
	pthread_mutex_lock(&gate);
	for (;;) {
		while (!jobs && !closed)
			pthread_cond_wait(&any, &gate);
		if (!jobs)
			break;
		jobs--;
		pthread_mutex_unlock(&gate);
		compute(4);
		pthread_mutex_lock(&gate);
		ran++;
		pthread_cond_signal(&done);
	}
	pthread_mutex_unlock(&gate);
	return unused;
}

int main(int n, char **words)
{
	pthread_t threads[WORKERS];

	(void)words;
	one = n > 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(threads + i, NULL, work, NULL);
	pthread_mutex_lock(&gate);
	for (int i = 0; i < JOBS; i++) {
		jobs++;
		announce();
		while (ran <= i)
			pthread_cond_wait(&done, &gate);
	}
	closed = true;
	pthread_cond_broadcast(&any);
	pthread_mutex_unlock(&gate);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
