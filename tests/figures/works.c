/*
 * Work whose events are known: threads one after the other, so that nobody waits for a lock, and each round locks,
 * signals, reads, posts and takes.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { ROUNDS = 5000, THREADS = 4, SHORT_THREADS = 200 };

static void *rounds_run(void *unused)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	sem_t semaphore;

	sem_init(&semaphore, 0, 0);
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
		pthread_rwlock_rdlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
		sem_post(&semaphore);
		sem_wait(&semaphore);
	}
	return unused;
}

static void *nothing_run(void *unused)
{
	return unused;
}

static void threads_run(void *(*routine)(void *), int n)
{
	pthread_t thread;

	while (n-- > 0)
		if (pthread_create(&thread, NULL, routine, NULL) || pthread_join(thread, NULL))
			exit(1);
}

int main(void)
{
	threads_run(rounds_run, THREADS);
	threads_run(nothing_run, SHORT_THREADS);
	return 0;
}
