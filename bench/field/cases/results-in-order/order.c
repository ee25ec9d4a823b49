/*
 * Main starts four threads and handles their results, by joining them. Argument: 0: in the order in
 * which they began; 1: in the order in which they end.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static const useconds_t lengths[4] = {200000, 40000, 30000, 20000};

__attribute__((noinline)) static int fetch(useconds_t length)
{
	return usleep(length);
}

static void *work(void *i)
{
	return (void *)(intptr_t)fetch(lengths[(intptr_t)i]);
}

__attribute__((noinline)) static int handle(void)
{
	return usleep(50000);
}

int main(int n, char **words)
{
	pthread_t threads[4];
	int backwards = n > 1 && atoi(words[1]);

	for (intptr_t i = 0; i < 4; i++)
		pthread_create(threads + i, NULL, work, (void *)i);
	for (int i = 0; i < 4; i++)
		if (pthread_join(threads[backwards ? 3 - i : i], NULL) || handle())
			return 1;
	return 0;
}
