/* A producer and a consumer share a buffer of four places; semaphores count the full and the empty ones. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

enum { ITEMS = 20, PLACES = 4 };

static sem_t empty, full;
static pthread_mutex_t buffer_lock = PTHREAD_MUTEX_INITIALIZER;
static int buffer[PLACES];

static void *produce(void *unused)
{
	pthread_setname_np(pthread_self(), "producer");
	for (int i = 0; i < ITEMS; i++) {
		usleep(i < ITEMS / 2 ? 0 : 3000);
		sem_wait(&empty);
		pthread_mutex_lock(&buffer_lock);
		buffer[i % PLACES] = i;
		usleep(100);
		pthread_mutex_unlock(&buffer_lock);
		sem_post(&full);
	}
	return unused;
}

static void *consume(void *unused)
{
	pthread_setname_np(pthread_self(), "consumer");
	usleep(20000);
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&full);
		pthread_mutex_lock(&buffer_lock);
		usleep(100);
		if (buffer[i % PLACES] != i)
			_exit(1);
		pthread_mutex_unlock(&buffer_lock);
		sem_post(&empty);
		usleep(i < ITEMS / 2 ? 1000 : 0);
	}
	return unused;
}

int main(void)
{
	pthread_t producer, consumer;

	sem_init(&empty, 0, PLACES);
	sem_init(&full, 0, 0);
	pthread_create(&producer, NULL, produce, NULL);
	pthread_create(&consumer, NULL, consume, NULL);
	pthread_join(producer, NULL);
	pthread_join(consumer, NULL);
	return 0;
}
