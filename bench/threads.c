/* What threads cost: many at once, many one after the other, and the first event of each. */
#include "bench/measure.h"
#include "tests/runtime/probe.h"
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EVENTS 20000000L
#define SHARE_LEAST 4000000L
#define PAIRS 5

/* A thread's share of the events; how long it took by its own CPU time. */
struct work {
	pthread_t thread;
	pthread_barrier_t *start;
	long events;
	int cpu_only;           /* -1: any */
	double cpu, wall;
};

/* One for each processor stays there, wherever the scheduler would put it. */
static void stay(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof one, &one);
}

static void *works(void *argument)
{
	struct work *w = argument;

	if (w->cpu_only >= 0)
		stay(w->cpu_only);
	event_loop(1000);
	pthread_barrier_wait(w->start);
	w->cpu = cpu_ns();
	w->wall = wall_ns();
	event_loop(w->events);
	w->cpu = cpu_ns() - w->cpu;
	w->wall = wall_ns() - w->wall;
	return NULL;
}

/* Enough for each thread to get past its first small tail and the first touch of a large one. */
static long share_of(long threads)
{
	long share = 2 * EVENTS / threads;

	return threads == 1 ? EVENTS : share < SHARE_LEAST ? SHARE_LEAST : share;
}

/* Results: CPU time per event over all threads; the time until the last was done. */
static void crowd(void *argument, double *results)
{
	long n = *(long *)argument;
	struct work *w = calloc((size_t)n, sizeof *w);
	pthread_barrier_t start;
	double cpu = 0, wall = 0;

	pthread_barrier_init(&start, NULL, (unsigned)n);
	for (long i = 0; i < n; i++) {
		w[i].start = &start;
		w[i].events = share_of(n);
		w[i].cpu_only = n <= sysconf(_SC_NPROCESSORS_ONLN) ? (int)i : -1;
		pthread_create(&w[i].thread, NULL, works, &w[i]);
	}
	for (long i = 0; i < n; i++) {
		pthread_join(w[i].thread, NULL);
		cpu += w[i].cpu;
		wall = w[i].wall > wall ? w[i].wall : wall;
	}
	results[0] = cpu / (double)(n * share_of(n));
	results[1] = wall;
	free(w);
}

/*
 * Two crowds take turns, so that what else happens on the machine, and on its host, meets both; the
 * ratios are of neighbours.
 */
struct pair {
	double cost[2][PAIRS], wall[2][PAIRS];  /* of the fewer and of the more */
	double cheaper[PAIRS], faster[PAIRS];   /* more / few: cost of an event; events per second */
};

static void crowds(struct pair *p, long few, long many, const char *keep)
{
	long n[2] = { few, many };
	double r[RESULTS];

	for (int i = 0; i < PAIRS; i++) {
		for (int k = 0; k < 2; k++) {
			measure(crowd, &n[k], keep, r);
			p->cost[k][i] = r[0];
			p->wall[k][i] = r[1] / (double)(n[k] * share_of(n[k]));
		}
		p->cheaper[i] = p->cost[1][i] / p->cost[0][i];
		p->faster[i] = p->wall[0][i] / p->wall[1][i];
	}
}

static void row_two(const char *name, const char *keep)
{
	struct pair p;
	double faster;

	crowds(&p, 1, 2, keep);
	faster = median(p.faster, PAIRS);       /* sorts them */
	row(name, faster, ">= 1.9",
	    "%.1f and %.1f million events/s; per event %.1f and %.1f ns; of %d turns %.2f to %.2f",
	    1e3 / median(p.wall[1], PAIRS), 1e3 / median(p.wall[0], PAIRS),
	    median(p.cost[1], PAIRS), median(p.cost[0], PAIRS), PAIRS, p.faster[0],
	    p.faster[PAIRS - 1]);
}

static void row_many(void)
{
	struct pair p;

	crowds(&p, 2, 64, NULL);
	row("64 threads / two threads, cost of an event", median(p.cheaper, PAIRS), "<= 1.1",
	    "%.1f and %.1f ns", median(p.cost[1], PAIRS), median(p.cost[0], PAIRS));
}

static void rows_crowd(void)
{
	row_two("two threads / one thread, events per second", NULL);
	row_two("the same, each keeping its newest events", "newest:1M");      /* without a disk */
	row_many();
}

/* What the file system itself takes to create a file, write a header to it and close it. */
static void creation(void *argument, double *results)
{
	static const char header[128];
	double times[200];
	char path[600];

	(void)argument;
	for (int i = 0; i < 200; i++) {
		double began = cpu_ns();
		int fd;

		snprintf(path, sizeof path, "%s/file.%d", getenv("GLIMPSE_DIR"), i);
		fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
		if (write(fd, header, sizeof header) < 0)
			exit(1);
		close(fd);
		times[i] = (cpu_ns() - began) / 1e3;
	}
	results[0] = median(times, 200);
}

static double *firsts;

static void *first_event(void *argument)
{
	double began = cpu_ns();

	Tick_Stamp(0, 0);
	*(double *)argument = (cpu_ns() - began) / 1e3;
	for (int32_t i = 1; i < 10; i++)
		Tick_Stamp(0, i);
	return NULL;
}

/* Threads that live one after the other. */
static void generations(void *argument, double *results)
{
	long n = *(long *)argument;
	pthread_t thread;
	double began = wall_ns();

	Tick_Stamp(0, 0);
	firsts = calloc((size_t)n, sizeof *firsts);
	for (long i = 0; i < n; i++) {
		if (pthread_create(&thread, NULL, first_event, &firsts[i]))
			exit(1);
		pthread_join(thread, NULL);
	}
	results[1] = (wall_ns() - began) / 1e3 / (double)n;
	results[0] = median(firsts, (unsigned)n);
}

static pthread_barrier_t everybody;

static void *first_and_stay(void *argument)
{
	first_event(argument);
	pthread_barrier_wait(&everybody);
	return NULL;
}

static void alive_together(void *argument, double *results)
{
	long n = *(long *)argument;
	pthread_t *threads = calloc((size_t)n, sizeof *threads);

	Tick_Stamp(0, 0);
	firsts = calloc((size_t)n, sizeof *firsts);
	pthread_barrier_init(&everybody, NULL, (unsigned)n);
	for (long i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, first_and_stay, &firsts[i]);
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	results[0] = median(firsts, (unsigned)n);
	free(threads);
}

static void rows_first(void)
{
	const char *number = getenv("BENCH_THREADS");
	long n = 200, many = number ? atol(number) : 100000;
	double r[RESULTS], file[RESULTS];

	measure(creation, NULL, NULL, file);
	measure(alive_together, &n, NULL, r);
	row("first event of a thread, its log and tail included, us", r[0], "<= 40",
	    "median of %ld threads alive together; here to create and write a file takes %.0f us", n,
	    file[0]);
	measure(generations, &many, NULL, r);
	row("the same when a former thread's tail is free, us", r[0], "<= 40",
	    "median of %ld threads of ten events; each %.0f us from its creation to its end", many,
	    r[1]);
}

int main(void)
{
	rows_crowd();
	rows_first();
	return 0;
}
