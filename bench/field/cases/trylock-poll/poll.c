/*
 * Three threads need one lock, and sleep under it. They do not wait for it but try it, and sleep
 * after each try in vain. Arguments: length of the hold, of the sleep between tries, us; 0:
 * pthread_mutex_lock().
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t store = PTHREAD_MUTEX_INITIALIZER;
static useconds_t hold = 20000, rest = 7000;

__attribute__((noinline)) static int save(void)
{
	usleep(hold);
	return 1;
}

__attribute__((noinline)) static void acquire(void)
{
	if (!rest) {
		pthread_mutex_lock(&store);
		return;
	}
	while (pthread_mutex_trylock(&store))
		usleep(rest);
}

static void *work(void *unused)
{
	int n = 0;

	for (int i = 0; i < 10; i++) {
		acquire();
		n += save();
		pthread_mutex_unlock(&store);
		usleep(10000);
	}
	return n ? unused : NULL;
}

int main(int n, char **words)
{
	pthread_t threads[3];

	if (n > 1)
		hold = (useconds_t)atoi(words[1]);
	if (n > 2)
		rest = (useconds_t)atoi(words[2]);
	for (int i = 0; i < 3; i++)
		pthread_create(threads + i, NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
