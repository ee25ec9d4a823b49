/* Two threads read a table often, together and for a moment, and change it now and then. */
#include "plant.h"

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;

static void *share(void *unused)
{
	for (int i = 1; i <= 1000 * size; i++) {
		pthread_rwlock_rdlock(&table);
		work(20);
		pthread_rwlock_unlock(&table);
		work(100);
		if (i % 20)
			continue;
		pthread_rwlock_wrlock(&table);
		work(5);
		pthread_rwlock_unlock(&table);
	}
	return unused;
}

static void plant(void)
{
	start(2, "worker", share);
	join(2);
}
