#include "base/parallel.h"
#include "base/task.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_WORKERS = 64 };

struct job {
	void (*work)(void *, size_t, unsigned);
	void *context;
	size_t n;
	struct errand *errand;
	atomic_size_t next;
};

struct worker {
	struct job *job;
	unsigned number;
	pthread_t thread;
};

unsigned parallel_workers(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > MOST_WORKERS ? MOST_WORKERS : (unsigned)n;
}

static void *worker_run(void *argument)
{
	struct worker *w = argument;
	struct job *job = w->job;
	size_t i;

	errand = job->errand;
	while ((i = atomic_fetch_add(&job->next, 1)) < job->n)
		job->work(job->context, i, w->number);
	return NULL;
}

/* Threads that cannot be had are done without. */
void parallel_for(size_t n, void (*work)(void *, size_t, unsigned), void *context)
{
	struct job job = {.work = work, .context = context, .n = n, .errand = errand};
	struct worker workers[MOST_WORKERS];
	unsigned wanted = parallel_workers(), started = 0;

	if (wanted > n)
		wanted = n ? (unsigned)n : 1;
	for (unsigned i = 0; i < wanted; i++)
		workers[i] = (struct worker){.job = &job, .number = i};
	while (started + 1 < wanted && pthread_create(&workers[started + 1].thread, NULL,
						      worker_run, &workers[started + 1]) == 0)
		started++;
	worker_run(&workers[0]);
	for (unsigned i = 1; i <= started; i++)
		pthread_join(workers[i].thread, NULL);
}

struct stretches {
	void (*work)(void *, size_t, size_t);
	void *context;
	size_t n;
};

static void stretch_run(void *context, size_t i, unsigned worker)
{
	const struct stretches *s = context;
	size_t from = i * PARALLEL_STRETCH, to = from + PARALLEL_STRETCH;

	(void)worker;
	s->work(s->context, from, to < s->n ? to : s->n);
}

void parallel_stretches(size_t n, void (*work)(void *, size_t, size_t), void *context)
{
	struct stretches s = {work, context, n};

	parallel_for((n + PARALLEL_STRETCH - 1) / PARALLEL_STRETCH, stretch_run, &s);
}
