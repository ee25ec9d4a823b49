/* Two threads meet at a barrier with the same work. */
#include "plant.h"

static pthread_barrier_t gate;

static void *turns(void *unused)
{
	for (int i = 0; i < 40 * size; i++) {
		work(3000);
		pthread_barrier_wait(&gate);
	}
	return unused;
}

static void plant(void)
{
	pthread_barrier_init(&gate, NULL, 2);
	start(2, "worker", turns);
	join(2);
}
