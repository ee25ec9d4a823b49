/* One processor: who has the lock has a low priority, and another thread computes. */
#include "plant.h"
#include <sys/resource.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static sem_t held, next;
static volatile bool done;

enum { LOWEST = 19 };

static void *low(void *unused)
{
	if (!mended)
		setpriority(PRIO_PROCESS, (id_t)gettid(), LOWEST);
	for (int i = 0; i < 4 * size; i++) {
		pthread_mutex_lock(&table);
		sem_post(&held);
		work(6000);
		pthread_mutex_unlock(&table);
		sem_wait(&next);
	}
	return unused;
}

static void *busy(void *unused)
{
	while (!done)
		work(1000);
	return unused;
}

static void plant(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	sem_init(&held, 0, 0);
	sem_init(&next, 0, 0);
	pthread_create(&threads[0], NULL, low, NULL);
	pthread_create(&threads[1], NULL, busy, NULL);
	for (int i = 0; i < 4 * size; i++) {
		sem_wait(&held);
		pthread_mutex_lock(&table);
		work(100);
		pthread_mutex_unlock(&table);
		sem_post(&next);
	}
	done = true;
	join(2);
}
