/*
 * Main and a thread compute; a helper waits until they have ended. Argument: how long, thousands of
 * rounds.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t any = PTHREAD_COND_INITIALIZER;
static bool closed;
static long length = 120000;

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

static void *help(void *unused)
{
	pthread_mutex_lock(&gate);
	while (!closed)
		pthread_cond_wait(&any, &gate);
	pthread_mutex_unlock(&gate);
	return unused;
}

static void *work(void *unused)
{
	compute(length);
	return unused;
}

int main(int n, char **words)
{
	pthread_t helper, other;

	if (n > 1)
		length = atol(words[1]);
	pthread_create(&helper, NULL, help, NULL);
	pthread_create(&other, NULL, work, NULL);
	work(NULL);
	pthread_join(other, NULL);
	pthread_mutex_lock(&gate);
	closed = true;
	pthread_cond_signal(&any);
	pthread_mutex_unlock(&gate);
	return pthread_join(helper, NULL);
}
