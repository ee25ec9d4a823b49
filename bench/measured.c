/*
 * A program whose run time is a matter of chance: batches, one after the other, in each of which two threads do some pieces
 * of work of random length, and the next batch begins when both are done. Prints how long it took, ns.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCHES = 100, PIECES = 5 };

static pthread_barrier_t gate;

/* Each multiplication waits for the one before: what another thread does on the same core takes no time from it. */
static void __attribute__((no_instrument_function, noinline)) turn(double thousands)
{
	unsigned long x = 3, n = (unsigned long)(1000 * thousands);

	for (unsigned long i = 0; i < n; i++) {
		x *= x;
		__asm__ volatile("" : "+r"(x));
	}
}

/* Most pieces are short, and some are long. */
static void __attribute__((noinline)) piece(struct drand48_data *numbers)
{
	double a, b;

	drand48_r(numbers, &a);
	drand48_r(numbers, &b);
	turn(b < 0.15 ? 600 + 600 * a : 100 + 300 * a);
}

static void *worker(void *seed)
{
	struct drand48_data numbers;

	srand48_r(*(long *)seed, &numbers);
	for (int batch = 0; batch < BATCHES; batch++) {
		for (int i = 0; i < PIECES; i++)
			piece(&numbers);
		pthread_barrier_wait(&gate);
	}
	return NULL;
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int n, char **arguments)
{
	long long began = now();
	long seed = n > 1 ? atol(arguments[1]) : 1, seeds[] = {2 * seed, 2 * seed + 1};
	pthread_t threads[2];

	pthread_barrier_init(&gate, NULL, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, &seeds[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%lld\n", now() - began);
	return 0;
}
