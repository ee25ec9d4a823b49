/*
 * Four threads use a session under its lock; one use in four fails and is repeated after a sleep.
 * Argument: how long, us.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t session = PTHREAD_MUTEX_INITIALIZER;
static useconds_t length = 8000;

__attribute__((noinline)) static int back_off(void)
{
	return usleep(length);
}

__attribute__((noinline)) static int request(int i)
{
	int failed = 0;

	pthread_mutex_lock(&session);
	usleep(500);
	if (i % 4 == 0)
		failed = back_off() || usleep(500);
	pthread_mutex_unlock(&session);
	return failed;
}

static void *serve(void *failed)
{
	for (int i = 0; i < 32; i++) {
		if (request(i))
			return failed;
		usleep(300);
	}
	return NULL;
}

int main(int n, char **words)
{
	pthread_t threads[4];

	if (n > 1)
		length = (useconds_t)atoi(words[1]);
	for (int i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, serve, &session);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
