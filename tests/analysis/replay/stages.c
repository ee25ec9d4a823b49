/*
 * Three stages with queues of a bounded length, whose times are parameters:
 *	stages SOURCE TRANSFORM SINK [ITEMS]
 * The times are microseconds that a stage computes for an item, on the CPU clock of its thread. Prints how long it took, ns.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROOM = 8 };

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t not_empty, not_full;
	int n;
};

#define QUEUE \
	{ \
		PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 \
	}

static struct queue raw = QUEUE, done = QUEUE;
static long source_time, transform_time, sink_time;
static int items = 400;

static long long now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void work(long microseconds)
{
	long long end = now(CLOCK_THREAD_CPUTIME_ID) + microseconds * 1000LL;

	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

static void put(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	while (q->n == ROOM)
		pthread_cond_wait(&q->not_full, &q->lock);
	q->n++;
	pthread_cond_signal(&q->not_empty);
	pthread_mutex_unlock(&q->lock);
}

static void get(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	while (q->n == 0)
		pthread_cond_wait(&q->not_empty, &q->lock);
	q->n--;
	pthread_cond_signal(&q->not_full);
	pthread_mutex_unlock(&q->lock);
}

static void *source(void *unused)
{
	for (int i = 0; i < items; i++) {
		work(source_time);
		put(&raw);
	}
	return unused;
}

static void *transform(void *unused)
{
	for (int i = 0; i < items; i++) {
		get(&raw);
		work(transform_time);
		put(&done);
	}
	return unused;
}

static void *sink(void *unused)
{
	for (int i = 0; i < items; i++) {
		get(&done);
		work(sink_time);
	}
	return unused;
}

int main(int n, char **arguments)
{
	void *(*const runs[])(void *) = {source, transform, sink};
	const char *const names[] = {"source", "transform", "sink"};
	pthread_t threads[3];
	long long began = now(CLOCK_MONOTONIC);

	if (n < 4)
		return 2;
	source_time = atol(arguments[1]);
	transform_time = atol(arguments[2]);
	sink_time = atol(arguments[3]);
	if (n > 4)
		items = atoi(arguments[4]);
	for (int i = 0; i < 3; i++) {
		pthread_create(&threads[i], NULL, runs[i], NULL);
		pthread_setname_np(threads[i], names[i]);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%lld\n", now(CLOCK_MONOTONIC) - began);
	return 0;
}
