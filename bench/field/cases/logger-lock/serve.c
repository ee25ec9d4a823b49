/* Four threads serve 25 requests each, and log each under one lock. Argument: how long, us. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t logger = PTHREAD_MUTEX_INITIALIZER;
static useconds_t length = 3000;

__attribute__((noinline)) static int log_line(void)
{
	pthread_mutex_lock(&logger);
	usleep(length); /* the disk */
	return pthread_mutex_unlock(&logger);
}

static void *serve(void *unused)
{
	for (int i = 0; i < 25; i++) {
		usleep(1000);
		if (log_line())
			abort();
	}
	return unused;
}

int main(int n, char **words)
{
	pthread_t threads[4];

	if (n > 1)
		length = (useconds_t)atoi(words[1]);
	for (int i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, serve, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
