/* exchanges: two threads let each other go on, by a condition variable and then by semaphores. */
#include <pthread.h>
#include <semaphore.h>

#define TIMES 10000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t turns[2];
static int turn;

static void *exchange(void *argument)
{
	int me = argument != NULL;

	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&mutex);
		while (turn != me)
			pthread_cond_wait(&condition, &mutex);
		turn = !me;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
	}
	for (int i = 0; i < TIMES; i++) {
		sem_wait(&turns[me]);
		sem_post(&turns[!me]);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	sem_init(&turns[0], 0, 1);
	sem_init(&turns[1], 0, 0);
	pthread_create(&t, NULL, exchange, &t);
	exchange(NULL);
	pthread_join(t, NULL);
	return 0;
}
