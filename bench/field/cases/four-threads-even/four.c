/* Four threads compute the same. Argument: how long, thousands of rounds. */
#include <pthread.h>
#include <stdlib.h>

static long length = 50000;

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
	compute(length);
	return unused;
}

int main(int n, char **words)
{
	pthread_t threads[4];

	if (n > 1)
		length = atol(words[1]);
	for (int i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
