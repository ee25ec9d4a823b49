/*
 * Eight threads need one of some connections (a semaphore) for each query, and rest between queries. One more semaphore
 * is a signal: another thread posts it. Argument: the number of connections.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 8, QUERIES = 20, QUERY = 5000, REST = 1000 };

static sem_t connections, start;

static void *serve(void *unused)
{
	for (int i = 0; i < QUERIES; i++) {
		sem_wait(&connections);
		usleep(QUERY);
		sem_post(&connections);
		usleep(REST);
	}
	return unused;
}

static void *starter(void *unused)
{
	usleep(QUERY);
	sem_post(&start);
	return unused;
}

int main(int n, char **arguments)
{
	pthread_t threads[THREADS + 1];

	sem_init(&connections, 0, n > 1 ? (unsigned)atoi(arguments[1]) : 2);
	sem_init(&start, 0, 0);
	pthread_create(&threads[THREADS], NULL, starter, NULL);
	sem_wait(&start);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, serve, NULL);
	for (int i = 0; i <= THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
