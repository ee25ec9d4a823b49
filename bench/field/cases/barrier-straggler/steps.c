/*
 * Four threads compute and meet at a barrier, 80 times. One computes boundary(), the others inner().
 * Argument: how long, thousands of rounds.
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static long length = 1500;

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

__attribute__((noinline)) static void boundary(void)
{
	compute(length);
}

__attribute__((noinline)) static void inner(void)
{
	compute(200);
}

static void *work(void *first)
{
	for (int i = 0; i < 80; i++) {
		if (first)
			boundary();
		else
			inner();
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int n, char **words)
{
	pthread_t threads[4];

	if (n > 1)
		length = atol(words[1]);
	pthread_barrier_init(&barrier, NULL, 4);
	for (int i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, work, i ? NULL : &barrier);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
