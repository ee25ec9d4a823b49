/*
 * Five functions of known shares in three threads, one of them at the end of a recursion; prints what each took by
 * the threads' own clocks, in ns. The argument: how many rounds.
 */
#include "../computes.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 3, FUNCTIONS = 5 };

static long rounds;
static long took[THREADS][FUNCTIONS];

COMPUTES(half)
COMPUTES(quarter)
COMPUTES(sixth)
COMPUTES(twelfth)
COMPUTES(hundredth)

__attribute__((noinline)) static void deep(int n, long work)
{
	if (n)
		deep(n - 1, work);
	else
		sixth(work);
	sink++;
}

static void *worker(void *argument)
{
	long *mine = argument, times[FUNCTIONS + 1];
	unsigned random = (unsigned)(mine - took[0]);

	for (long i = 0; i < rounds; i++) {
		/* rounds of one length would be met at the same few places each time */
		long unit = 50 + (random = random * 1664525 + 1013904223) / (1u << 25) % 100;

		times[0] = now();
		half(5000 * unit);
		times[1] = now();
		quarter(2500 * unit);
		times[2] = now();
		deep(50, 1600 * unit);
		times[3] = now();
		twelfth(800 * unit);
		times[4] = now();
		hundredth(100 * unit);
		times[5] = now();
		for (int k = 0; k < FUNCTIONS; k++)
			mine[k] += times[k + 1] - times[k];
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"half", "quarter", "sixth", "twelfth", "hundredth"};
	pthread_t threads[THREADS];

	rounds = argc > 1 ? atol(argv[1]) : 100;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker, took[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int k = 0; k < FUNCTIONS; k++)
		printf("%s %ld\n", names[k], took[0][k] + took[1][k] + took[2][k]);
	return 0;
}
