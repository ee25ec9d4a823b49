/*
 * A pool of threads that compute: pool WORKERS ITEMS LENGTH [sleep]. The first thread puts items into a
 * queue, a mutex with a condition, from which the workers take them; then it waits for their ends.
 * An item is LENGTH thousand multiplications, every eighth four times as many; with sleep it
 * is a sleep of so many microseconds instead. Prints how long that took, ns.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_WORKERS = 64 };

static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long pushed, popped, closed, length;
static int sleeps;

/* Each multiplication waits for the one before: what runs beside it takes no time from it. */
static void __attribute__((noinline)) item(long number)
{
	long size = length * (number % 8 ? 1 : 4);
	unsigned long x = 3;

	if (sleeps)
		nanosleep(&(struct timespec){.tv_nsec = 1000 * size}, NULL);
	for (long i = 0; i < 1000 * size && !sleeps; i++) {
		x *= x;
		__asm__ volatile("" : "+r"(x));
	}
}

/* Returns the next item, or -1 at the end. */
static long pop(void)
{
	long number;

	pthread_mutex_lock(&queue);
	while (popped == pushed && !closed)
		pthread_cond_wait(&changed, &queue);
	number = popped < pushed ? popped++ : -1;
	pthread_mutex_unlock(&queue);
	return number;
}

static void push(void)
{
	pthread_mutex_lock(&queue);
	pushed++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&queue);
}

static void finish(void)
{
	pthread_mutex_lock(&queue);
	closed = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&queue);
}

static void *worker(void *unused)
{
	long number;

	pthread_setname_np(pthread_self(), "worker");
	while ((number = pop()) >= 0)
		item(number);
	return unused;
}

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	pthread_t threads[MOST_WORKERS];
	long began = now(), workers, items;

	if (argc < 4 || (workers = atol(argv[1])) < 1 || workers > MOST_WORKERS)
		return 2;
	items = atol(argv[2]);
	length = atol(argv[3]);
	sleeps = argc > 4;
	for (long i = 0; i < workers; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (long i = 0; i < items; i++)
		push();
	finish();
	for (long i = 0; i < workers; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", now() - began);
	return 0;
}
