/* Both look every ten milliseconds whether the other one is done. */
#include "plant.h"

static sem_t filled, empty;
static volatile int ready;

static void wait_for(int value, sem_t *semaphore)
{
	if (mended)
		sem_wait(semaphore);
	else
		while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) != value)
			usleep(10000);
}

static void *producer(void *unused)
{
	for (int i = 0; i < 15 * size; i++) {
		wait_for(0, &empty);
		work(2000);
		__atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
		sem_post(&filled);
	}
	return unused;
}

static void *consumer(void *unused)
{
	for (int i = 0; i < 15 * size; i++) {
		wait_for(1, &filled);
		__atomic_store_n(&ready, 0, __ATOMIC_SEQ_CST);
		sem_post(&empty);
		work(2000);
	}
	return unused;
}

static void plant(void)
{
	pthread_t two[2];

	sem_init(&filled, 0, 0);
	sem_init(&empty, 0, 1);
	pthread_create(&two[0], NULL, producer, NULL);
	pthread_setname_np(two[0], "producer");
	pthread_create(&two[1], NULL, consumer, NULL);
	pthread_setname_np(two[1], "consumer");
	for (int i = 0; i < 2; i++)
		pthread_join(two[i], NULL);
}
