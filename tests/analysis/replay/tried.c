/*
 * Three threads have one lock for 20 ms, ten times each. They do not wait for it: they try it, and sleep for 7 ms after
 * each try in vain. Arguments: how long they have it, and how long they sleep, in us.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 10, OTHER_WORK = 10000 };

static pthread_mutex_t store = PTHREAD_MUTEX_INITIALIZER;
static unsigned held = 20000, rest = 7000;

static __attribute__((noinline)) void save(void)
{
	usleep(held);
}

static __attribute__((noinline)) void acquire(void)
{
	while (pthread_mutex_trylock(&store) != 0)
		usleep(rest);
}

static void *work(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		acquire();
		save();
		pthread_mutex_unlock(&store);
		usleep(OTHER_WORK);
	}
	return unused;
}

int main(int n, char **arguments)
{
	pthread_t threads[THREADS];

	if (n > 1)
		held = (unsigned)atoi(arguments[1]);
	if (n > 2)
		rest = (unsigned)atoi(arguments[2]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
