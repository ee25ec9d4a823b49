/*
 * Four threads log under one lock into standard output, a pipe whose reader is slow. Argument:
 * without the lock (a write of one page is whole anyway).
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int unlocked;
static pthread_mutex_t logger = PTHREAD_MUTEX_INITIALIZER;

/* Computes for about 2 us for each thousand. */
__attribute__((noinline)) static void compute(long thousands)
{
	unsigned long x = 1;
	volatile unsigned long result;

	for (long i = 0; i < thousands * 1000; i++) {
		x = x * 6364136223846793005u + 1;
		x ^= x >> 29;
	}
	result = x;
	(void)result;
}

__attribute__((noinline)) static void log_line(void)
{
	char line[4096];

	memset(line, '.', sizeof line);
	if (!unlocked)
		pthread_mutex_lock(&logger);
	if (write(1, line, sizeof line) < 0)
		_exit(1);
	if (!unlocked)
		pthread_mutex_unlock(&logger);
}

static void *serve(void *unused)
{
	for (int i = 0; i < 50; i++) {
		compute(200);
		log_line();
	}
	return unused;
}

int main(int n, char **words)
{
	pthread_t threads[4];

	(void)words;
	unlocked = n > 1;
	for (int i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, serve, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
