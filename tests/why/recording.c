/* Functions so short that recording them takes longer than they do. */
#include "plant.h"

static volatile long sum;

__attribute__((noinline)) static void tiny(void)
{
	sum++;
}

static void *calls(void *unused)
{
	for (long i = 0; i < 200000L * size; i++)
		if (!mended || i % 1000 == 0)
			tiny();
		else
			sum++;
	return unused;
}

static void plant(void)
{
	start(2, "worker", calls);
	join(2);
	work(1000);
}
