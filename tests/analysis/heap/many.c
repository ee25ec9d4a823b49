/*
 * many: 10 million blocks by three threads, most of which are given back soon; some by other threads,
 * and at three places some never.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, BLOCKS = 10000000 / THREADS, RECENT = 512 };

static void *volatile lost;

__attribute__((noinline)) static void *keep_small(void)
{
	return malloc(24);
}

__attribute__((noinline)) static void *keep_table(size_t n)
{
	return calloc(n, 16);
}

__attribute__((noinline)) static void *work_block(unsigned r)
{
	return malloc(16 + r % 200);
}

__attribute__((noinline)) static void forget(int i)
{
	if (i % 10000 == 0)
		lost = keep_small();
	if (i % 100000 == 1)
		lost = keep_table((size_t)(i / 100000 + 1));
}

static void *run(void *unused)
{
	void *recent[RECENT] = {0};
	unsigned r = 1;

	for (int i = 0; i < BLOCKS; i++) {
		r = r * 1103515245 + 12345;
		free(recent[r / 65536 % RECENT]);
		recent[r / 65536 % RECENT] = work_block(r / 65536);
		forget(i);
	}
	for (int i = 0; i < RECENT; i++)
		free(recent[i]);
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	lost = NULL;
}
