/*
 * A timer thread runs callbacks under the lock of the timers until three threads have added 60
 * timers each. Argument: length of a callback, us.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t timers = PTHREAD_MUTEX_INITIALIZER;
static atomic_int left = 180;
static useconds_t length = 6000;

__attribute__((noinline)) static int callback(void)
{
	return usleep(length);
}

static void *tick(void *failed)
{
	while (atomic_load(&left) > 0) {
		pthread_mutex_lock(&timers);
		if (callback())
			return failed;
		pthread_mutex_unlock(&timers);
		usleep(500);
	}
	return NULL;
}

static void *serve(void *unused)
{
	for (int i = 0; i < 60; i++) {
		usleep(1000);
		pthread_mutex_lock(&timers);
		atomic_fetch_sub(&left, 1);
		pthread_mutex_unlock(&timers);
	}
	return unused;
}

int main(int n, char **words)
{
	pthread_t threads[4];

	if (n > 1)
		length = (useconds_t)atoi(words[1]);
	for (int i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, i ? serve : tick, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
