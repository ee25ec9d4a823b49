/* One of two threads has four times the work between barriers. */
#include "plant.h"

static pthread_barrier_t gate;

static void *turns(void *number)
{
	for (int i = 0; i < 40 * size; i++) {
		work(mended ? 2000 : number ? 800 : 3200);
		pthread_barrier_wait(&gate);
	}
	return NULL;
}

static void plant(void)
{
	pthread_barrier_init(&gate, NULL, 2);
	start(2, "worker", turns);
	join(2);
}
