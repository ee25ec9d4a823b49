#include "tests/analysis/simulated/workload.h"
#include <stdlib.h>

struct making {
	struct random random;
	struct workload *program;
};

static unsigned dice(struct making *m, unsigned n)
{
	return random_below(&m->random, n);
}

static void add(struct making *m, uint32_t thread, enum step_kind kind, uint32_t what,
		int64_t length)
{
	*vector_add(&m->program->threads[thread]) =
	    (struct step){.kind = kind, .what = what, .length = length};
}

/* Short lengths are more frequent than long ones. */
static int64_t length_random(struct making *m, int64_t most)
{
	int64_t length = 2000 + (int64_t)dice(m, (unsigned)most);

	return dice(m, 3) ? length / 3 : length;
}

static void compute(struct making *m, uint32_t thread, int64_t most)
{
	add(m, thread, STEP_COMPUTE, 0, length_random(m, most));
}

/* ---- what threads do in a round ---- */

/* Locks are nested in the order of their numbers, so that no deadlock is possible. */
static void locked(struct making *m, uint32_t thread, int64_t most)
{
	uint32_t lock = dice(m, PLAIN_LOCKS),
		 inner = lock + 1 < PLAIN_LOCKS && dice(m, 5) == 0 ? lock + 1 : 0;

	add(m, thread, STEP_LOCK, lock, 0);
	compute(m, thread, most);
	if (inner) {
		add(m, thread, STEP_LOCK, inner, 0);
		compute(m, thread, most / 2);
		add(m, thread, STEP_UNLOCK, inner, 0);
	}
	if (dice(m, 12) == 0)
		add(m, thread, STEP_SLEEP, 0, length_random(m, most));
	add(m, thread, STEP_UNLOCK, lock, 0);
}

static void counted(struct making *m, uint32_t thread, int64_t most)
{
	uint32_t semaphore = dice(m, SEMAPHORES);

	add(m, thread, STEP_SEMAPHORE_WAIT, semaphore, 0);
	compute(m, thread, most);
	add(m, thread, STEP_SEMAPHORE_POST, semaphore, 0);
}

static void something(struct making *m, uint32_t thread, int64_t most)
{
	switch (dice(m, 10)) {
	case 0:
	case 1:
	case 2:
	case 3:
		locked(m, thread, most);
		break;
	case 4:
	case 5:
		counted(m, thread, most);
		break;
	case 6:
		add(m, thread, STEP_SLEEP, 0, length_random(m, most));
		break;
	case 7:
		add(m, thread, STEP_YIELD, 0, 0);
		break;
	default:
		compute(m, thread, most);
	}
}

static void put(struct making *m, uint32_t thread, uint32_t queue)
{
	uint32_t lock = m->program->queues[queue].lock;

	add(m, thread, STEP_LOCK, lock, 0);
	add(m, thread, STEP_AWAIT_ROOM, queue, 0);
	add(m, thread, STEP_PUT, queue, 0);
	add(m, thread, STEP_UNLOCK, lock, 0);
}

static void take(struct making *m, uint32_t thread, uint32_t queue)
{
	uint32_t lock = m->program->queues[queue].lock;

	add(m, thread, STEP_LOCK, lock, 0);
	add(m, thread, STEP_AWAIT_ITEM, queue, 0);
	add(m, thread, STEP_TAKE, queue, 0);
	add(m, thread, STEP_UNLOCK, lock, 0);
}

/* ---- shapes ---- */

/* All workers do rounds, with a barrier after some of them. */
static void rounds(struct making *m, unsigned workers)
{
	unsigned n = 3 + dice(m, 12), barrier = dice(m, 2), each = 1 + dice(m, 3);
	int64_t most = dice(m, 2) ? 300000 : 2000000;

	m->program->shape = barrier ? "rounds with a barrier" : "rounds";
	m->program->members[0] = workers;
	for (uint32_t t = 1; t <= workers; t++)
		for (unsigned i = 0; i < n; i++) {
			compute(m, t, most);
			for (unsigned k = 0; k < each; k++)
				something(m, t, most);
			if (barrier)
				add(m, t, STEP_BARRIER, 0, 0);
		}
}

/* Returns how many of the items one of a stage's threads does. */
static unsigned items_of(unsigned items, unsigned threads, unsigned i)
{
	return items / threads + (i < items % threads);
}

/* Stages with queues between them; each stage has one thread or more. */
static void pipeline(struct making *m, unsigned workers)
{
	unsigned stages = 2 + dice(m, workers < 4 ? workers - 1 : 3), items = 10 + dice(m, 30),
		 most_of[MOST_QUEUES + 1];
	unsigned threads[MOST_QUEUES + 1] = {0};
	uint32_t t = 1;

	m->program->shape = "pipeline";
	m->program->nqueues = stages - 1;
	for (uint32_t q = 0; q + 1 < stages; q++)
		m->program->queues[q] =
		    (struct workload_queue){m->program->nlocks++, 1 + dice(m, 6)};
	for (unsigned i = 0; i < workers; i++)
		threads[i < stages ? i : dice(m, stages)]++;
	for (unsigned i = 0; i < stages; i++)
		most_of[i] = dice(m, 2) ? 200000 : 1000000;
	for (unsigned s = 0; s < stages; s++)
		for (unsigned i = 0; i < threads[s]; i++, t++)
			for (unsigned k = items_of(items, threads[s], i); k; k--) {
				if (s)
					take(m, t, s - 1);
				compute(m, t, most_of[s]);
				if (dice(m, 3) == 0)
					something(m, t, most_of[s]);
				if (s + 1 < stages)
					put(m, t, s);
			}
}

static void begin_threads(struct making *m, unsigned workers)
{
	for (uint32_t t = 0; t <= workers; t++)
		add(m, t, STEP_START, t, 0);
}

static void end_threads(struct making *m, unsigned workers)
{
	for (uint32_t t = 0; t <= workers; t++) {
		add(m, t, STEP_EXIT, t, 0);
		add(m, t, STEP_GONE, t, 0);
	}
}

/* The main thread may work between the creations, before the joins, and after them; it may join in another order. */
static void main_thread(struct making *m, unsigned workers)
{
	bool backwards = dice(m, 3) == 0, works = dice(m, 2);

	compute(m, 0, 500000);
	for (uint32_t t = 1; t <= workers; t++) {
		add(m, 0, STEP_CREATE, t, 0);
		if (works)
			compute(m, 0, 100000);
	}
	if (works)
		something(m, 0, 1000000);
	for (uint32_t t = 1; t <= workers; t++)
		add(m, 0, STEP_JOIN, backwards ? workers + 1 - t : t, 0);
	compute(m, 0, 500000);
}

struct workload *workload_random(uint64_t seed)
{
	struct workload *p = array_zero(1, sizeof *p);
	struct making m = {{seed}, p};
	unsigned workers = 2 + dice(&m, MOST_THREADS - 2);

	p->nthreads = workers + 1;
	p->nlocks = PLAIN_LOCKS;
	for (unsigned i = 0; i < SEMAPHORES; i++)
		p->semaphores[i] = 1 + dice(&m, 3);
	begin_threads(&m, workers);
	main_thread(&m, workers);
	if (dice(&m, 5) < 2)
		pipeline(&m, workers);
	else
		rounds(&m, workers);
	end_threads(&m, workers);
	return p;
}

/* ---- items that are handed out ---- */

enum { ASK_SITE, PUT_SITE, CLOSE_SITE };

/* Adds a step of a lock at a call site. */
static void lock_at(struct making *m, uint32_t thread, enum step_kind kind, uint32_t site)
{
	add(m, thread, kind, m->program->queues[0].lock, 0);
	m->program->threads[thread].at[m->program->threads[thread].n - 1].site = site;
}

static void worker(struct making *m, uint32_t thread, bool semaphore, bool locks, int64_t most)
{
	add(m, thread, STEP_AGAIN, 0, 0);
	if (semaphore)
		add(m, thread, STEP_SEMAPHORE_WAIT, 0, 0);
	lock_at(m, thread, STEP_LOCK, ASK_SITE);
	if (m->program->pool.queued && !semaphore)
		add(m, thread, STEP_AWAIT_ITEM, 0, 0);
	add(m, thread, STEP_ASK, 0, 0);
	lock_at(m, thread, STEP_UNLOCK, ASK_SITE);
	add(m, thread, STEP_WORK, 0, 0);
	if (locks)
		locked(m, thread, most);
	add(m, thread, STEP_REPEAT, 0, 0);
}

/* Adds an item to the queue, which may have to have room. */
static void push(struct making *m, bool semaphore, bool bounded)
{
	lock_at(m, 0, STEP_LOCK, PUT_SITE);
	if (bounded)
		add(m, 0, STEP_AWAIT_ROOM, 0, 0);
	add(m, 0, STEP_PUT, 0, 0);
	lock_at(m, 0, STEP_UNLOCK, PUT_SITE);
	if (semaphore)
		add(m, 0, STEP_SEMAPHORE_POST, 0, 0);
}

static void close_queue(struct making *m, bool semaphore, unsigned workers)
{
	lock_at(m, 0, STEP_LOCK, CLOSE_SITE);
	add(m, 0, STEP_CLOSE, 0, 0);
	lock_at(m, 0, STEP_UNLOCK, CLOSE_SITE);
	for (unsigned i = 0; i < workers && semaphore; i++)
		add(m, 0, STEP_SEMAPHORE_POST, 0, 0);
}

/* The main thread creates the workers, adds the items, and joins the workers. */
static void producer(struct making *m, unsigned workers, bool semaphore, int64_t most)
{
	bool bounded = dice(m, 2) && !semaphore;
	int64_t takes = most / (int64_t)workers / (1 + dice(m, 3));

	compute(m, 0, 500000);
	for (uint32_t t = 1; t <= workers; t++)
		add(m, 0, STEP_CREATE, t, 0);
	for (size_t i = 0; i < m->program->pool.lengths.n && m->program->pool.queued; i++) {
		compute(m, 0, takes);
		push(m, semaphore, bounded);
	}
	if (m->program->pool.queued)
		close_queue(m, semaphore, workers);
	for (uint32_t t = 1; t <= workers; t++)
		add(m, 0, STEP_JOIN, t, 0);
	compute(m, 0, 500000);
}

struct workload *workload_pool_random(uint64_t seed)
{
	static const int64_t lengths[] = {50000, 300000, 2000000};
	static const char *const shapes[] = {"counter", "queue", "queue with a semaphore"};
	struct workload *p = array_zero(1, sizeof *p);
	struct making m = {{seed}, p};
	unsigned workers = 1 + dice(&m, MOST_THREADS - 1), kind = dice(&m, 3);
	unsigned items = workers * (4 + dice(&m, 20));
	int64_t most = lengths[dice(&m, 3)];
	bool locks = dice(&m, 3) == 0;

	p->shape = shapes[kind];
	p->nthreads = workers + 1;
	p->nlocks = PLAIN_LOCKS + 1;
	p->nqueues = 1;
	p->queues[0] = (struct workload_queue){PLAIN_LOCKS, 1 + dice(&m, 2 * workers)};
	p->pool.queued = kind != 0;
	for (unsigned i = 0; i < items; i++)
		*vector_add(&p->pool.lengths) = length_random(&m, most);
	for (uint32_t t = 0; t < MOST_THREADS; t++)
		p->pool.paces[t] = 1;
	begin_threads(&m, workers);
	producer(&m, workers, kind == 2, most);
	for (uint32_t t = 1; t <= workers; t++)
		worker(&m, t, kind == 2, locks, most / 4);
	end_threads(&m, workers);
	return p;
}

void workload_free(struct workload *p)
{
	free(p->pool.lengths.at);
	for (uint32_t t = 0; t < p->nthreads; t++)
		free(p->threads[t].at);
	free(p);
}

/* ---- changed programs ---- */

void workload_unlock(struct workload *p, uint32_t lock)
{
	for (uint32_t t = 0; t < p->nthreads; t++) {
		size_t kept = 0;

		for (size_t i = 0; i < p->threads[t].n; i++) {
			struct step s = p->threads[t].at[i];

			if ((s.kind != STEP_LOCK && s.kind != STEP_UNLOCK) || s.what != lock)
				p->threads[t].at[kept++] = s;
		}
		p->threads[t].n = kept;
	}
}

static bool takes_time(const struct step *s)
{
	return s->kind == STEP_COMPUTE || s->kind == STEP_SLEEP;
}

/* Returns what the steps of a hold take by themselves; *end: after its release. */
static int64_t hold_length(const struct step *steps, size_t first, size_t *end)
{
	int64_t sum = 0;
	size_t i = first + 1;

	for (; steps[i].kind != STEP_UNLOCK || steps[i].what != steps[first].what; i++)
		sum += takes_time(&steps[i]) ? steps[i].length : 0;
	*end = i + 1;
	return sum;
}

void workload_hold(struct workload *p, uint32_t lock, int64_t length)
{
	for (uint32_t t = 0; t < p->nthreads; t++) {
		struct step *steps = p->threads[t].at;
		size_t end;

		for (size_t i = 0; i < p->threads[t].n; i++) {
			double factor;

			if (steps[i].kind != STEP_LOCK || steps[i].what != lock)
				continue;
			factor = (double)length / (double)hold_length(steps, i, &end);
			for (; i + 1 < end; i++)
				if (takes_time(&steps[i]))
					steps[i].length =
					    (int64_t)((double)steps[i].length * factor);
		}
	}
}

int64_t workload_held(const struct workload *p, uint32_t lock, unsigned *times)
{
	int64_t sum = 0;
	size_t end;

	*times = 0;
	for (uint32_t t = 0; t < p->nthreads; t++)
		for (size_t i = 0; i < p->threads[t].n; i++) {
			const struct step *s = &p->threads[t].at[i];

			if (s->kind != STEP_LOCK || s->what != lock)
				continue;
			sum += hold_length(p->threads[t].at, i, &end);
			++*times;
		}
	return sum;
}

void workload_speed(struct workload *p, uint32_t thread, double factor)
{
	p->pool.paces[thread] *= factor;
	for (size_t i = 0; i < p->threads[thread].n; i++) {
		struct step *s = &p->threads[thread].at[i];

		if (s->kind == STEP_COMPUTE)
			s->length = (int64_t)((double)s->length / factor);
	}
}
