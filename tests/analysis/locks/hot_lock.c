/*
 * hot_lock THREADS TIMES lock|none: threads that do next to nothing under one lock, very often; without the
 * lock the same on counters of their own. Prints how long they took and their CPU time, in seconds.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 16, APART = 8 };

static pthread_mutex_t hot = PTHREAD_MUTEX_INITIALIZER;
static volatile long counters[MOST_THREADS * APART];
static long times;
static int locks;

static void *work(void *counter)
{
	volatile long *own = counter, *mine = locks ? counters : own;

	for (long i = 0; i < times; i++) {
		if (locks)
			pthread_mutex_lock(&hot);
		++*mine;
		if (locks)
			pthread_mutex_unlock(&hot);
		for (volatile int k = 0; k < 5; k++)
			;
	}
	return NULL;
}

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	int n = argc > 3 ? atoi(argv[1]) : 0;
	pthread_t threads[MOST_THREADS];
	double begin = seconds(CLOCK_MONOTONIC);

	if (n < 1 || n > MOST_THREADS)
		return 2;
	times = atol(argv[2]);
	locks = strcmp(argv[3], "none") != 0;
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, work, (void *)&counters[i * APART]);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("%.6f %.6f\n", seconds(CLOCK_MONOTONIC) - begin, seconds(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
