/*
 * A thread of low priority (nice 19) acquires a lock and computes under it; then the main thread
 * needs the lock; a thread of normal priority keeps the processor. The lock is free late only because
 * its holder does not get the processor. Argument: the holder has the priority of the others.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TIMES = 4 };

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static sem_t held, next;
static volatile int stop;
static int equal;

/* Computes for about 2 us for each thousand. */
__attribute__((noinline)) static void compute(long thousands)
{
	unsigned long x = 1;
	volatile unsigned long result;

	for (long i = 0; i < thousands * 1000; i++) {
		x = x * 6364136223846793005u + 1;
		x ^= x >> 29;
	}
	result = x;
	(void)result;
}

static void *low(void *unused)
{
	if (!equal)
		setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19);
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&table);
		sem_post(&held);
		compute(500);
		pthread_mutex_unlock(&table);
		sem_wait(&next);
	}
	return unused;
}

static void *busy(void *unused)
{
	while (!stop)
		compute(10);
	return unused;
}

int main(int n, char **words)
{
	pthread_t holder, other;

	(void)words;
	equal = n > 1;
	sem_init(&held, 0, 0);
	sem_init(&next, 0, 0);
	pthread_create(&holder, NULL, low, NULL);
	pthread_create(&other, NULL, busy, NULL);
	for (int i = 0; i < TIMES; i++) {
		sem_wait(&held);
		pthread_mutex_lock(&table);
		compute(50);
		pthread_mutex_unlock(&table);
		sem_post(&next);
	}
	stop = 1;
	pthread_join(other, NULL);
	return pthread_join(holder, NULL);
}
