/* One thread comes late to the first barrier: it reads what only it needs, alone. */
#include "plant.h"

static pthread_barrier_t gate;

__attribute__((noinline)) static void prepare(void)
{
	work(100000L * size);
}

static void *turns(void *number)
{
	if (!number && !mended)
		prepare();
	pthread_barrier_wait(&gate);
	work(60000L * size);
	return NULL;
}

static void plant(void)
{
	pthread_barrier_init(&gate, NULL, 2);
	start(2, "worker", turns);
	join(2);
}
