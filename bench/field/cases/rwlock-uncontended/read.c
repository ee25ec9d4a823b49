/*
 * Two threads look up under a readers-writer lock, and compute. Argument: how long for each lookup,
 * thousands of rounds.
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t config = PTHREAD_RWLOCK_INITIALIZER;
static long length = 100;

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

static void *work(void *unused)
{
	for (int i = 0; i < 1200; i++) {
		long thousands;

		pthread_rwlock_rdlock(&config);
		thousands = length;
		pthread_rwlock_unlock(&config);
		compute(thousands);
	}
	return unused;
}

int main(int n, char **words)
{
	pthread_t thread;

	if (n > 1)
		length = atol(words[1]);
	if (pthread_create(&thread, NULL, work, NULL))
		return 1;
	work(NULL);
	return pthread_join(thread, NULL);
}
