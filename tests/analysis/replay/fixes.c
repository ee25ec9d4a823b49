/*
 * Programs with bottlenecks one behind the other; the first ones are fixed:
 *	fixes phases|pipeline FIXED
 * Times are those of the threads' processor clocks. Prints how long it took, ns.
 *
 * phases: four threads compute under one lock (1: without it); then main computes in parse() (2: in
 * half the time); then the thread crawler, in functions none of which stands for it (3: in half the
 * time).
 *
 * pipeline: the thread reader computes in fetch() for each item (1: in half the time; 3: in a
 * quarter), and the thread writer in store() (2: in half the time).
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORKERS = 4, ROUNDS = 24, HOLD = 10000, PARSE = 400000, PAGE = 50000 };
enum { ITEMS = 100, ROOM = 8, FETCH = 5000, STORE = 4000 };

static int fixed;

static long long now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* No function: samples are to show the caller. The clock is read rarely. */
#define COMPUTE(microseconds) \
	for (long long end = now(CLOCK_THREAD_CPUTIME_ID) + (microseconds)*1000LL; \
	     now(CLOCK_THREAD_CPUTIME_ID) < end;) \
		for (volatile int i = 0; i < 20000; i++) \
			;

static void thread_start(pthread_t *thread, const char *name, void *(*run)(void *))
{
	pthread_create(thread, NULL, run, NULL);
	pthread_setname_np(*thread, name);
}

/* ---- phases ---- */

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) void look_up(void)
{
	COMPUTE(HOLD);
}

static void *worker(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (fixed < 1)
			pthread_mutex_lock(&table);
		look_up();
		if (fixed < 1)
			pthread_mutex_unlock(&table);
	}
	return unused;
}

static __attribute__((noinline)) void parse(void)
{
	COMPUTE(fixed < 2 ? PARSE : PARSE / 2);
}

#define PAGE_OF(kind) \
	static __attribute__((noinline)) void crawl_##kind(void) \
	{ \
		COMPUTE(fixed < 3 ? PAGE : PAGE / 2); \
	}
PAGE_OF(text)
PAGE_OF(links)
PAGE_OF(style)
PAGE_OF(pictures)
PAGE_OF(tables)
PAGE_OF(forms)

static void *crawler(void *unused)
{
	crawl_text();
	crawl_links();
	crawl_style();
	crawl_pictures();
	crawl_tables();
	crawl_forms();
	return unused;
}

static void phases(void)
{
	pthread_t threads[WORKERS], slow;

	for (int i = 0; i < WORKERS; i++)
		thread_start(&threads[i], "worker", worker);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	parse();
	thread_start(&slow, "crawler", crawler);
	pthread_join(slow, NULL);
}

/* ---- pipeline ---- */

static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queued;

static __attribute__((noinline)) void fetch(void)
{
	COMPUTE(fixed < 1 ? FETCH : fixed < 3 ? FETCH / 2 : FETCH / 4);
}

static __attribute__((noinline)) void store(void)
{
	COMPUTE(fixed < 2 ? STORE : STORE / 2);
}

/* Adds to the items that wait, or takes one of them. */
static void queue_change(int by)
{
	pthread_mutex_lock(&queue);
	while (queued + by < 0 || queued + by > ROOM)
		pthread_cond_wait(&changed, &queue);
	queued += by;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&queue);
}

static void *reader(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		fetch();
		queue_change(1);
	}
	return unused;
}

static void *writer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		queue_change(-1);
		store();
	}
	return unused;
}

static void pipeline(void)
{
	pthread_t threads[2];

	thread_start(&threads[0], "reader", reader);
	thread_start(&threads[1], "writer", writer);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

int main(int n, char **arguments)
{
	long long began = now(CLOCK_MONOTONIC);

	if (n != 3)
		return 2;
	fixed = atoi(arguments[2]);
	if (strcmp(arguments[1], "phases") == 0)
		phases();
	else
		pipeline();
	printf("%lld\n", now(CLOCK_MONOTONIC) - began);
	return 0;
}
