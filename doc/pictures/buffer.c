/* A producer and a consumer with four places between them: for objects.png. First the consumer is slower. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t buffer_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t empty, full;

static void spend(long microseconds)
{
	nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
}

static void *producer(void *unused)
{
	for (int i = 0; i < 40; i++) {
		spend(i < 25 ? 30 : 3000);
		sem_wait(&empty);
		pthread_mutex_lock(&buffer_lock);
		spend(70);
		pthread_mutex_unlock(&buffer_lock);
		sem_post(&full);
	}
	return unused;
}

static void *consumer(void *unused)
{
	for (int i = 0; i < 40; i++) {
		sem_wait(&full);
		pthread_mutex_lock(&buffer_lock);
		spend(70);
		pthread_mutex_unlock(&buffer_lock);
		sem_post(&empty);
		spend(900);
	}
	return unused;
}

int main(void)
{
	pthread_t first, second;

	sem_init(&empty, 0, 4);
	sem_init(&full, 0, 0);
	pthread_create(&first, NULL, producer, NULL);
	pthread_setname_np(first, "producer");
	pthread_create(&second, NULL, consumer, NULL);
	pthread_setname_np(second, "consumer");
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return 0;
}
