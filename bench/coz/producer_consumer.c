/* After coz's program of this name: a bounded queue with one producer; some items take the slow path of the consumers. */
#include "part.h"

enum { ROOM = 10, CONSUMERS = 2, SLOW_ONE_OF = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int queue[ROOM], n, taken;

PART(produce, 300)
PART(consume, 100)
PART(slow_path, 1200)

static void put(int item)
{
	pthread_mutex_lock(&mutex);
	while (n == ROOM)
		pthread_cond_wait(&emptied, &mutex);
	queue[n++] = item;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&mutex);
}

/* Returns -1 if all items are taken. */
static int get(void)
{
	int item = -1;

	pthread_mutex_lock(&mutex);
	while (n == 0 && taken < rounds)
		pthread_cond_wait(&filled, &mutex);
	if (n > 0) {
		item = queue[--n];
		if (++taken == rounds)
			pthread_cond_broadcast(&filled);
		pthread_cond_signal(&emptied);
	}
	pthread_mutex_unlock(&mutex);
	return item;
}

static void *consumer(void *unused)
{
	for (int item; (item = get()) >= 0;) {
		consume();
		if (item % SLOW_ONE_OF == 0)
			slow_path();
		COZ_PROGRESS;
	}
	return unused;
}

static void program(void)
{
	pthread_t consumers[CONSUMERS];

	for (int i = 0; i < CONSUMERS; i++)
		pthread_create(&consumers[i], NULL, consumer, NULL);
	for (int i = 0; i < rounds; i++) {
		produce();
		put(i);
	}
	for (int i = 0; i < CONSUMERS; i++)
		pthread_join(consumers[i], NULL);
}
