/*
 * ready PART: threads that wait for others, while events that end other waits of theirs happen. Each
 * thread that is looked at ends with a line: its name, and the ns at least and at most for which the
 * kernel counts it as ready (its run delay): before and after a last sleep, in which the recorder
 * reads that, too. Of the process at least without what it had before its program began.
 *
 * Short sleeps follow each wait: of several waits at once the kernel says no more than a sum.
 */
#include "tests/probes/blocked.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <string.h>

enum { MANY = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t early, late;
static pthread_barrier_t barrier;

/* ---- threads ---- */

struct part {
	const char *name;
	void (*run)(long ms);
	long ms;
	pthread_t thread;
};

static uint64_t run_delay(void)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "r");
	unsigned long long ran = 0, delay = 0;

	if (f) {
		if (fscanf(f, "%llu %llu", &ran, &delay) != 2)
			delay = 0;
		fclose(f);
	}
	return delay;
}

static void short_sleeps(void)
{
	for (int i = 0; i < 4; i++)
		syscall(SYS_nanosleep, &(struct timespec){0, 100000}, NULL);
}

/* earlier: the ns that are not to be in the trace */
static void figures_print(const char *name, uint64_t earlier)
{
	unsigned long long before = run_delay() - earlier;

	pause_ms(30);
	printf("%s %llu %llu\n", name, before, (unsigned long long)run_delay());
}

static void *part_run(void *argument)
{
	const struct part *p = argument;

	pthread_setname_np(pthread_self(), p->name);
	p->run(p->ms);
	return NULL;
}

static void part_start(struct part *p, const char *name, void (*run)(long ms), long ms)
{
	*p = (struct part){.name = name, .run = run, .ms = ms};
	pthread_create(&p->thread, NULL, part_run, p);
}

static void sleeps(long ms)
{
	pause_ms(ms);
}

/* ---- joins ---- */

/* Joins threads in the order in which they began: the first one ends last. */
static void joins(int n, long each)
{
	struct part sleepers[MANY];

	for (int i = 0; i < n; i++)
		part_start(&sleepers[i], "sleeper", sleeps, (n - i) * each);
	for (int i = 0; i < n; i++)
		pthread_join(sleepers[i].thread, NULL);
	short_sleeps();
}

/* ---- conditions ---- */

static void cond_waits(long ms)
{
	pause_ms(ms);
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&condition, &lock);
	pthread_mutex_unlock(&lock);
	short_sleeps();
	figures_print("waiter", 0);
}

static void lock_uses(long ms)
{
	pause_ms(ms);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

/* The waiter sleeps during the first signal; while it waits for the second one, its lock is released. */
static void conditions(void)
{
	struct part waiter, user;

	part_start(&waiter, "waiter", cond_waits, 50);
	part_start(&user, "user", lock_uses, 80);
	pause_ms(20);
	pthread_cond_signal(&condition);
	pause_ms(110);
	pthread_cond_signal(&condition);
	pthread_join(waiter.thread, NULL);
	pthread_join(user.thread, NULL);
}

/* ---- semaphores ---- */

static void sem_waits(long ms)
{
	(void)ms;
	sem_wait(&late);
	short_sleeps();
	sem_wait(&early);
	short_sleeps();
	figures_print("taker", 0);
}

static void semaphores(void)
{
	struct part taker;

	sem_init(&early, 0, 0);
	sem_init(&late, 0, 0);
	part_start(&taker, "taker", sem_waits, 0);
	pause_ms(30);
	sem_post(&early);
	pause_ms(40);
	sem_post(&late);
	pthread_join(taker.thread, NULL);
}

/* ---- barriers ---- */

static void arrives(long ms)
{
	pause_ms(ms);
	pthread_barrier_wait(&barrier);
}

static void joins_and_arrives(long ms)
{
	struct part sleeper;

	part_start(&sleeper, "sleeper", sleeps, ms);
	pthread_join(sleeper.thread, NULL);
	short_sleeps();
	pthread_barrier_wait(&barrier);
	short_sleeps();
	figures_print("arriver", 0);
}

static void barriers(void)
{
	struct part parts[3];

	pthread_barrier_init(&barrier, NULL, 3);
	part_start(&parts[0], "first", arrives, 20);
	part_start(&parts[1], "arriver", joins_and_arrives, 50);
	part_start(&parts[2], "last", arrives, 90);
	for (int i = 0; i < 3; i++)
		pthread_join(parts[i].thread, NULL);
}

/* ---- locks ---- */

static void holds_twice(long ms)
{
	pthread_mutex_lock(&lock);
	pause_ms(ms);
	pthread_mutex_unlock(&lock);
	pause_ms(10);
	pthread_mutex_lock(&lock);
	pause_ms(2 * ms);
	pthread_mutex_unlock(&lock);
}

/* While it joins, the lock is released that it then waits for: until the next release. */
static void joins_and_locks(long ms)
{
	struct part sleeper;

	part_start(&sleeper, "sleeper", sleeps, ms);
	pthread_join(sleeper.thread, NULL);
	short_sleeps();
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	short_sleeps();
	figures_print("locker", 0);
}

static void locks(void)
{
	struct part holder, locker;

	part_start(&holder, "holder", holds_twice, 30);
	part_start(&locker, "locker", joins_and_locks, 60);
	pthread_join(holder.thread, NULL);
	pthread_join(locker.thread, NULL);
}

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "";
	uint64_t earlier = run_delay();

	pthread_setname_np(pthread_self(), "main");
	if (strcmp(part, "join") == 0)
		joins(2, 30);
	else if (strcmp(part, "joins") == 0)
		joins(MANY, 13);
	else if (strcmp(part, "condition") == 0)
		conditions();
	else if (strcmp(part, "semaphore") == 0)
		semaphores();
	else if (strcmp(part, "barrier") == 0)
		barriers();
	else if (strcmp(part, "lock") == 0)
		locks();
	else
		return 2;
	figures_print("main", earlier);
	return 0;
}
