/*
 * Programs that one function limits: a stage of a pipeline, what is done while a lock is held, a part that runs alone,
 * the thread of a group that has more to do. Computing is on the thread's own clock, so that other load changes nothing.
 *	which_code pipeline|lock|serial|library|imbalance
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROOM = 4, ITEMS = 150, THREADS = 2 };

/* How many times as fast a function is: bench/whatif-samples.sh sets these. */
#ifndef TRANSFORM_SPEED
#define TRANSFORM_SPEED 1
#endif
#ifndef UPDATE_SPEED
#define UPDATE_SPEED 1
#endif
#ifndef SORT_SPEED
#define SORT_SPEED 1
#endif
#ifndef SHARE_SPEED
#define SHARE_SPEED 1
#endif

static volatile unsigned long sink;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Computes for so many microseconds in the function that calls it. */
static inline __attribute__((always_inline)) void compute(long us)
{
	long end = now() + us;

	while (now() < end)
		for (int i = 0; i < 20000; i++)
			sink = sink * 1664525 + 1013904223;
}

__attribute__((noinline)) static void read_item(void)
{
	compute(200);
}
__attribute__((noinline)) static void transform_item(void)
{
	compute(1500 / TRANSFORM_SPEED);
}
__attribute__((noinline)) static void write_item(void)
{
	compute(200);
}
__attribute__((noinline)) static void update_table(void)
{
	compute(1000 / UPDATE_SPEED);
}
__attribute__((noinline)) static void own_part(void)
{
	compute(100);
}
__attribute__((noinline)) static void sort_run(void)
{
	compute(200000 / SORT_SPEED);
}
/* Its time is in the C library. */
__attribute__((noinline)) static void poll_clock(void)
{
	struct timespec t;
	long end = now() + 200000;

	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	while (t.tv_sec * 1000000 + t.tv_nsec / 1000 < end);
}
__attribute__((noinline)) static void share_of_work(long us)
{
	compute(us / SHARE_SPEED);
}

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int n;
};

static struct queue raw = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static struct queue done = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

static void move(struct queue *q, int by)
{
	pthread_mutex_lock(&q->lock);
	while (q->n + by < 0 || q->n + by > ROOM)
		pthread_cond_wait(&q->changed, &q->lock);
	q->n += by;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
}

static void *reader(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		read_item();
		move(&raw, 1);
	}
	return unused;
}

static void *transformer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		move(&raw, -1);
		transform_item();
		move(&done, 1);
	}
	return unused;
}

static void *writer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		move(&done, -1);
		write_item();
	}
	return unused;
}

static void *updater(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		pthread_mutex_lock(&table);
		update_table();
		pthread_mutex_unlock(&table);
		own_part();
	}
	return unused;
}

static void *part(void *time)
{
	share_of_work(*(long *)time);
	return time;
}

static void run(int n, void *(*const begin[])(void *), long times[])
{
	pthread_t threads[3];

	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, begin[i], &times[i]);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "pipeline") == 0)
		run(3, (void *(*const[])(void *)){reader, transformer, writer}, (long[3]){0});
	else if (strcmp(what, "lock") == 0)
		run(2, (void *(*const[])(void *)){updater, updater}, (long[3]){0});
	else if (strcmp(what, "imbalance") == 0)
		run(2, (void *(*const[])(void *)){part, part}, (long[3]){400000, 100000, 0});
	else if (strcmp(what, "serial") == 0 || strcmp(what, "library") == 0) {
		(*what == 's' ? sort_run : poll_clock)();
		run(2, (void *(*const[])(void *)){part, part}, (long[3]){100000, 100000, 0});
	} else
		return 1;
	return 0;
}
