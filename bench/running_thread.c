/*
 * After the program of appendix D in Charles' thesis: each of some threads calls load() 2,000 times, which calculates powers
 * in a loop. Run as running_thread THREADS LOAD; prints how long it took, ns.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LOADS = 2000, MOST_THREADS = 64 };

static long load_size;

static double __attribute__((noinline)) load(void)
{
	double sum = 0;

	for (long i = 1; i < load_size; i++)
		sum += pow(1.0 + 1.0 / (double)i, (double)i);
	return sum;
}

static void *__attribute__((noinline)) RunningThread(void *unused)
{
	double sum = 0;

	for (int i = 0; i < LOADS; i++)
		sum += load();
	return sum < 0 ? NULL : unused;
}

int main(int n, char **arguments)
{
	pthread_t threads[MOST_THREADS];
	int count = n > 1 ? atoi(arguments[1]) : 2;
	struct timespec began, ended;

	load_size = n > 2 ? atol(arguments[2]) : 10000;
	if (count < 1 || count > MOST_THREADS)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &began);
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, RunningThread, NULL);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	clock_gettime(CLOCK_MONOTONIC, &ended);
	printf("%lld\n",
	       (ended.tv_sec - began.tv_sec) * 1000000000LL + ended.tv_nsec - began.tv_nsec);
	return 0;
}
