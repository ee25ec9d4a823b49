/* Two threads compute the same for 200 items, with a queue between. Argument: how long, thousands. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { ITEMS = 200 };

static sem_t filled, room;
static long length = 400;

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

__attribute__((noinline)) static void decode(void)
{
	compute(length);
}

__attribute__((noinline)) static void filter(void)
{
	compute(length);
}

static void *stage_filter(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&filled);
		sem_post(&room);
		filter();
	}
	return unused;
}

int main(int n, char **words)
{
	pthread_t thread;

	if (n > 1)
		length = atol(words[1]);
	sem_init(&filled, 0, 0);
	sem_init(&room, 0, 8);
	if (pthread_create(&thread, NULL, stage_filter, NULL))
		return 1;
	for (int i = 0; i < ITEMS; i++) {
		decode();
		sem_wait(&room);
		sem_post(&filled);
	}
	return pthread_join(thread, NULL);
}
