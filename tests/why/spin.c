/* Two threads spin for a lock that each has most of the time. */
#include "plant.h"

static pthread_spinlock_t busy;

static void *turns(void *unused)
{
	for (int i = 0; i < 150 * size; i++) {
		pthread_spin_lock(&busy);
		work(mended ? 10 : 500);
		pthread_spin_unlock(&busy);
		work(mended ? 540 : 100);
	}
	return unused;
}

static void plant(void)
{
	pthread_spin_init(&busy, 0);
	start(2, "worker", turns);
	join(2);
}
