/*
 * What the planted programs share. Each is one file with a function plant(), in which something makes it
 * slow; plants.txt says what must be found. Run as PROGRAM SIZE [mended]: SIZE is 1, 2 or 3, and makes it
 * take as many times as long; mended, the bottleneck is gone.
 */
#ifndef TESTS_WHY_PLANT_H
#define TESTS_WHY_PLANT_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int size;
static bool mended;
static void plant(void);

/* Computes for so many microseconds of the thread's own time. */
__attribute__((noinline, unused)) static void work(long us)
{
	struct timespec t;
	long end;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	end = t.tv_sec * 1000000000L + t.tv_nsec + us * 1000;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	while (t.tv_sec * 1000000000L + t.tv_nsec < end);
}

enum { THREADS_MOST = 64 };
static pthread_t threads[THREADS_MOST];

/* Starts n threads of a name, and waits for their ends; each gets its number. */
__attribute__((unused)) static void start(int n, const char *name, void *(*function)(void *))
{
	for (long i = 0; i < n; i++) {
		char text[16];

		pthread_create(&threads[i], NULL, function, (void *)i);
		snprintf(text, sizeof text, "%.11s %d", name, (int)i);
		pthread_setname_np(threads[i], text);
	}
}

__attribute__((unused)) static void join(int n)
{
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

/* A queue of anything; put() never waits. */
struct queue {
	pthread_mutex_t mutex;
	pthread_cond_t filled;
	int n;
	bool closed;
};
#define QUEUE {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false}

__attribute__((unused)) static void put(struct queue *q)
{
	pthread_mutex_lock(&q->mutex);
	q->n++;
	pthread_cond_signal(&q->filled);
	pthread_mutex_unlock(&q->mutex);
}

__attribute__((unused)) static void queue_close(struct queue *q)
{
	pthread_mutex_lock(&q->mutex);
	q->closed = true;
	pthread_cond_broadcast(&q->filled);
	pthread_mutex_unlock(&q->mutex);
}

/* Returns false when all has been taken and no more will come. */
__attribute__((unused)) static bool get(struct queue *q)
{
	bool found;

	pthread_mutex_lock(&q->mutex);
	while (!q->n && !q->closed)
		pthread_cond_wait(&q->filled, &q->mutex);
	found = q->n > 0;
	q->n -= found;
	pthread_mutex_unlock(&q->mutex);
	return found;
}

int main(int argc, char **argv)
{
	size = argc > 1 ? atoi(argv[1]) : 1;
	mended = argc > 2 && strcmp(argv[2], "mended") == 0;
	plant();
	return 0;
}

#endif
