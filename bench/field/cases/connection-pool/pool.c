/*
 * Eight threads need one of a few connections (a semaphore) for each query, and rest 1 ms between.
 * Arguments: the number of connections, the length of a query in us.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t connections;
static useconds_t length = 5000;

__attribute__((noinline)) static int query(void)
{
	usleep(length);
	return 1;
}

static void *serve(void *unused)
{
	int n = 0;

	for (int i = 0; i < 20; i++) {
		sem_wait(&connections);
		n += query();
		sem_post(&connections);
		usleep(1000);
	}
	return n ? unused : NULL;
}

int main(int n, char **words)
{
	pthread_t threads[8];

	sem_init(&connections, 0, n > 1 ? (unsigned)atoi(words[1]) : 2);
	if (n > 2)
		length = (useconds_t)atoi(words[2]);
	for (int i = 0; i < 8; i++)
		pthread_create(threads + i, NULL, serve, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
