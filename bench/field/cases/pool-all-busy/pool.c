/* Two workers take 300 items from a queue under a lock. Argument: what one costs, thousands. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static int left = 300;
static long length = 400;

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

static int take(void)
{
	int got;

	pthread_mutex_lock(&queue);
	got = left > 0;
	left -= got;
	pthread_mutex_unlock(&queue);
	return got;
}

static void *work(void *unused)
{
	while (take())
		compute(length);
	return unused;
}

int main(int n, char **words)
{
	pthread_t threads[2];

	if (n > 1)
		length = atol(words[1]);
	for (int i = 0; i < 2; i++)
		pthread_create(threads + i, NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
