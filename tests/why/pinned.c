/* Two threads that only compute, both tied to one processor. */
#include "plant.h"

static void *share(void *unused)
{
	if (!mended) {
		cpu_set_t one;

		CPU_ZERO(&one);
		CPU_SET(0, &one);
		pthread_setaffinity_np(pthread_self(), sizeof one, &one);
	}
	work(100000L * size);
	return unused;
}

static void plant(void)
{
	start(2, "worker", share);
	join(2);
}
