/*
 * Four threads serve; the first needs a table, which is loaded once. Argument: how long, thousands of
 * rounds.
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static long length = 100000;

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

__attribute__((noinline)) static void load_table(void)
{
	compute(length);
}

static void *serve(void *unused)
{
	for (int i = 0; i < 20; i++) {
		pthread_once(&once, load_table);
		compute(100);
	}
	return unused;
}

int main(int n, char **words)
{
	pthread_t threads[4];

	if (n > 1)
		length = atol(words[1]);
	for (int i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, serve, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
