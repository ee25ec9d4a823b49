/* Two locks, each of which costs half of the run. */
#include "plant.h"

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;

static void turns(pthread_mutex_t *lock)
{
	for (int i = 0; i < 40 * size; i++) {
		pthread_mutex_lock(lock);
		if (!mended)
			usleep(1000);
		pthread_mutex_unlock(lock);
		if (mended)
			usleep(1000);
		work(200);
	}
}

static void *both(void *unused)
{
	turns(&first_lock);
	turns(&second_lock);
	return unused;
}

static void plant(void)
{
	start(3, "worker", both);
	join(3);
}
