#include "base/parallel.h"
#include "base/task.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORKERS = 64 };

struct job {
	void (*work)(void *, size_t, unsigned);
	void *context;
	size_t n;
	struct task *task;
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

	task_current = job->task;
	while ((i = atomic_fetch_add(&job->next, 1)) < job->n)
		job->work(job->context, i, w->number);
	return NULL;
}

/* Does without threads that cannot be started. */
void parallel_for(size_t n, void (*work)(void *, size_t, unsigned), void *context)
{
	struct job job = {.work = work, .context = context, .n = n, .task = task_current};
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

struct chunks {
	void (*work)(void *, size_t, size_t);
	void *context;
	size_t n;
};

static void chunk_run(void *context, size_t i, unsigned worker)
{
	const struct chunks *s = context;
	size_t from = i * PARALLEL_CHUNK, to = from + PARALLEL_CHUNK;

	(void)worker;
	s->work(s->context, from, to < s->n ? to : s->n);
}

void parallel_chunks(size_t n, void (*work)(void *, size_t, size_t), void *context)
{
	struct chunks s = {work, context, n};

	parallel_for((n + PARALLEL_CHUNK - 1) / PARALLEL_CHUNK, chunk_run, &s);
}

enum { FILLED_ALONE = 1 << 24 };

struct memory_fill {
	unsigned char *memory, byte;
	size_t bytes;
};

static void part_fill(void *context, size_t number, unsigned worker)
{
	const struct memory_fill *f = context;
	size_t from = number * FILLED_ALONE, left = f->bytes - from;

	(void)worker;
	memset(f->memory + from, f->byte, left < FILLED_ALONE ? left : FILLED_ALONE);
}

void parallel_fill(void *memory, unsigned char byte, size_t bytes)
{
	struct memory_fill f = {memory, byte, bytes};

	parallel_for((bytes + FILLED_ALONE - 1) / FILLED_ALONE, part_fill, &f);
}

void tickets_init(struct tickets *t)
{
	pthread_mutex_init(&t->mutex, NULL);
	pthread_cond_init(&t->turn, NULL);
	t->next = 0;
}

void tickets_wait(struct tickets *t, size_t number)
{
	pthread_mutex_lock(&t->mutex);
	while (t->next != number)
		pthread_cond_wait(&t->turn, &t->mutex);
}

void tickets_pass(struct tickets *t)
{
	t->next++;
	pthread_cond_broadcast(&t->turn);
	pthread_mutex_unlock(&t->mutex);
}
