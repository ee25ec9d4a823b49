/* Two threads allocate and free from one arena, whose lock they share. */
#include "plant.h"
#include <malloc.h>

__attribute__((noinline)) static void allocate(void **blocks, int n)
{
	for (int i = 0; i < n; i++)
		blocks[i] = malloc(2000 + (size_t)i);
	for (int i = 0; i < n; i++)
		free(blocks[i]);
}

static void *churns(void *unused)
{
	void *blocks[100];

	for (int i = 0; i < 1500 * size; i++) {
		if (!mended || i == 0)
			allocate(blocks, 100);
		work(10);
	}
	return unused;
}

static void plant(void)
{
	mallopt(M_ARENA_MAX, 1);
	start(2, "worker", churns);
	join(2);
}
