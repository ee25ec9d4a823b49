/*
 * Programs whose bottleneck is known: bottlenecks WHICH.
 *
 *	sleep    a lock is held over a sleep
 *	uneven   threads meet at a barrier, and one of them computes four times as long
 *	reader   workers wait for what one reader gets from a slow device
 *	stages   six stages with queues between them; what the first and the fourth do is done under one lock
 *	busy     threads compute, as many as there are processors, and wait for nothing
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;

/* Computes for so many microseconds of this thread's processor time. */
static void compute(long us)
{
	struct timespec t;
	long long until;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	until = t.tv_sec * 1000000000LL + t.tv_nsec + us * 1000;
	do {
		for (int i = 0; i < 2000; i++)
			sink += i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec * 1000000000LL + t.tv_nsec < until);
}

static void nap(long us)
{
	nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

static void name(const char *stem, long i)
{
	char text[16] = {0};

	strncpy(text, stem, 10);
	text[strlen(text)] = ' ';
	text[strlen(text)] = (char)('0' + i);
	pthread_setname_np(pthread_self(), text);
}

static void together(void *(*run)(void *), long n)
{
	pthread_t threads[16];

	for (long i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

/* ---- sleep ---- */

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

static void *clerk(void *number)
{
	name("clerk", (long)number);
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&table_lock);
		nap(2000);
		pthread_mutex_unlock(&table_lock);
		compute(100);
	}
	return NULL;
}

/* ---- uneven ---- */

static pthread_barrier_t line;

static void *runner(void *number)
{
	name("runner", (long)number);
	for (int i = 0; i < 25; i++) {
		compute((long)number ? 2000 : 8000);
		pthread_barrier_wait(&line);
	}
	return NULL;
}

/* ---- queues ---- */

enum { ROOM = 4, STAGES = 6 };

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t filled, emptied;
	int items, ended;
};

static struct queue queues[STAGES];

static void put(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	while (q->items == ROOM)
		pthread_cond_wait(&q->emptied, &q->lock);
	q->items++;
	pthread_cond_signal(&q->filled);
	pthread_mutex_unlock(&q->lock);
}

static int get(struct queue *q)
{
	int got;

	pthread_mutex_lock(&q->lock);
	while (!q->items && !q->ended)
		pthread_cond_wait(&q->filled, &q->lock);
	got = q->items > 0;
	q->items -= got;
	pthread_cond_signal(&q->emptied);
	pthread_mutex_unlock(&q->lock);
	return got;
}

static void end(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->ended = 1;
	pthread_cond_broadcast(&q->filled);
	pthread_mutex_unlock(&q->lock);
}

static void queues_init(void)
{
	for (int i = 0; i < STAGES; i++)
		queues[i] = (struct queue){PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
					   PTHREAD_COND_INITIALIZER, 0, 0};
}

/* ---- reader ---- */

static void *worker(void *number)
{
	name("worker", (long)number);
	while (get(&queues[0]))
		compute(300);
	return NULL;
}

static void *reader(void *unused)
{
	pthread_setname_np(pthread_self(), "reader");
	for (int i = 0; i < 100; i++) {
		nap(2000);
		put(&queues[0]);
	}
	end(&queues[0]);
	return unused;
}

static void *reader_or_worker(void *number)
{
	return number ? worker(number) : reader(number);
}

/* ---- stages ---- */

static pthread_mutex_t slow_lock = PTHREAD_MUTEX_INITIALIZER;

static void work(long stage)
{
	if (stage == 1 || stage == 4) {
		pthread_mutex_lock(&slow_lock);
		nap(1500);
		pthread_mutex_unlock(&slow_lock);
	} else {
		compute(150);
	}
}

static void *stage(void *number)
{
	long i = (long)number;

	name("stage", i);
	for (int item = 0; i ? get(&queues[i - 1]) : item < 100; item++) {
		work(i);
		if (i + 1 < STAGES)
			put(&queues[i]);
	}
	if (i + 1 < STAGES)
		end(&queues[i]);
	return NULL;
}

/* ---- busy ---- */

static void *packer(void *number)
{
	name("packer", (long)number);
	compute(300000);
	return NULL;
}

int main(int argc, char **argv)
{
	const char *which = argc > 1 ? argv[1] : "";

	queues_init();
	pthread_barrier_init(&line, NULL, 2);
	if (!strcmp(which, "sleep"))
		together(clerk, 3);
	else if (!strcmp(which, "uneven"))
		together(runner, 2);
	else if (!strcmp(which, "reader"))
		together(reader_or_worker, 3);
	else if (!strcmp(which, "stages"))
		together(stage, STAGES);
	else if (!strcmp(which, "busy"))
		together(packer, sysconf(_SC_NPROCESSORS_ONLN));
	else
		return 1;
	return 0;
}
