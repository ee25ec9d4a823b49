/* Two threads replace blocks of memory at random. */
#include <pthread.h>
#include <stdlib.h>

enum { BLOCKS = 512, ROUNDS = 2500000 };

__attribute__((noinline)) static int replace(void **block, size_t size)
{
	free(*block);
	*block = malloc(size);
	return *block != NULL;
}

static void *work(void *failed)
{
	void *blocks[BLOCKS] = {NULL};
	unsigned state = 1;

	for (int i = 0; i < ROUNDS; i++) {
		state = state * 1664525 + 1013904223;
		if (!replace(blocks + state / 4096 % BLOCKS, 1100 + state % 2048))
			return failed;
	}
	for (int i = 0; i < BLOCKS; i++)
		free(blocks[i]);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, &thread))
		return 1;
	work(&thread);
	return pthread_join(thread, NULL);
}
