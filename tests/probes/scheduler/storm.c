/*
 * storm TURNS LOCKS POSTS: two threads that take turns; in each they take a lock of their own so
 * often, and in the last two post a semaphore that nobody waits for, before the signalled thread can
 * go on: few waits among very many events.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static sem_t done;
static int turn, turns, locks, posts;

static void *run(void *number)
{
	pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
	sem_t nobodys;
	int mine = (int)(intptr_t)number;

	sem_init(&nobodys, 0, 0);
	for (int i = 0; i < turns; i++) {
		pthread_mutex_lock(&lock);
		while (turn != mine)
			pthread_cond_wait(&turned, &lock);
		pthread_mutex_unlock(&lock);
		for (int k = 0; k < locks; k++) {
			pthread_mutex_lock(&own);
			pthread_mutex_unlock(&own);
		}
		pthread_mutex_lock(&lock);
		turn = !mine;
		pthread_cond_signal(&turned);
		for (int k = 0; k < posts && i + 2 >= turns; k++)
			sem_post(&nobodys);
		pthread_mutex_unlock(&lock);
	}
	sem_post(&done);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	if (argc != 4)
		return 2;
	turns = atoi(argv[1]);
	locks = atoi(argv[2]);
	posts = atoi(argv[3]);
	sem_init(&done, 0, 0);
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	sem_wait(&done);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
