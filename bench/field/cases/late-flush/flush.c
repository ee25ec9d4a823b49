/* Main computes, then a helper flushes while main waits. Argument: how long, us. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static bool computed;
static useconds_t length = 250000;

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

__attribute__((noinline)) static int flush(void)
{
	return usleep(length);
}

static void *help(void *failed)
{
	pthread_mutex_lock(&gate);
	while (!computed)
		pthread_cond_wait(&go, &gate);
	pthread_mutex_unlock(&gate);
	return flush() ? failed : NULL;
}

int main(int n, char **words)
{
	pthread_t thread;

	if (n > 1)
		length = (useconds_t)atoi(words[1]);
	if (pthread_create(&thread, NULL, help, &gate))
		return 1;
	compute(15000);
	pthread_mutex_lock(&gate);
	computed = true;
	pthread_cond_signal(&go);
	pthread_mutex_unlock(&gate);
	return pthread_join(thread, NULL);
}
