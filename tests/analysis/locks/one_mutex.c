/*
 * one_mutex SECONDS: four threads share one mutex. one_mutex SECONDS deadlock: two mutexes, and two
 * threads acquire them in opposite orders and never go on.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static volatile long count;
static time_t end;

static void *work(void *unused)
{
	while (time(NULL) < end) {
		pthread_mutex_lock(&shared);
		for (int i = 0; i < 200000; i++)
			count++;
		pthread_mutex_unlock(&shared);
	}
	return unused;
}

static void *opposite(void *first)
{
	pthread_mutex_lock(first);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(first == &shared ? &other : &shared);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];
	int n = argc > 2 ? 2 : 4;

	end = time(NULL) + atol(argv[1]);
	pthread_barrier_init(&both, NULL, 2);
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, n == 2 ? opposite : work, i ? &shared : &other);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
