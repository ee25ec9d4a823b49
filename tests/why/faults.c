/* Memory that is new each time: each first touch of a page is a fault. */
#include "plant.h"

enum { BYTES = 8 << 20 };

__attribute__((noinline)) static void touch(char *block)
{
	for (int i = 0; i < BYTES; i += 4096)
		block[i] = 1;
}

static void *turns(void *unused)
{
	char *kept = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < 40 * size; i++) {
		char *block = mended ? kept : mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
						   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		touch(block);
		if (!mended)
			munmap(block, BYTES);
		work(mended ? 3000 : 200);
	}
	munmap(kept, BYTES);
	return unused;
}

static void plant(void)
{
	start(2, "worker", turns);
	join(2);
}
