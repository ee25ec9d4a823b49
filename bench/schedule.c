/*
 * A parallel loop whose iterations get longer and longer: schedule ITERATIONS LENGTH [sleep]. The
 * environment says how it is scheduled (OMP_SCHEDULE), and for how many threads (OMP_NUM_THREADS).
 * The last iteration is LENGTH thousand multiplications, or with sleep after it as many
 * microseconds. Prints how long the loop took, ns.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void __attribute__((noinline)) iteration(double thousands, int sleeps)
{
	struct timespec time = {.tv_nsec = (long)(1000 * thousands)};
	unsigned long x = 3;

	if (sleeps)
		nanosleep(&time, NULL);
	for (long i = 0; i < (long)(1000 * thousands) && !sleeps; i++) {
		x *= x;
		__asm__ volatile("" : "+r"(x));
	}
}

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	long iterations, began;
	double length;

	if (argc < 3)
		return 2;
	iterations = atol(argv[1]);
	length = atof(argv[2]);
	began = now();
#pragma omp parallel for schedule(runtime)
	for (long i = 0; i < iterations; i++)
		iteration(length * (double)(i + 1) / (double)iterations, argc > 3);
	printf("%ld\n", now() - began);
	return 0;
}
