/* Readers have the lock nearly all the time, one or the other: the writer gets it late. */
#include "plant.h"

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static volatile bool done;

static void *reader(void *unused)
{
	while (!done) {
		pthread_rwlock_rdlock(&table);
		usleep(mended ? 100 : 4000);
		pthread_rwlock_unlock(&table);
		usleep(mended ? 3000 : 10);
	}
	return unused;
}

static void *writer(void *unused)
{
	for (int i = 0; i < 6 * size; i++) {
		pthread_rwlock_wrlock(&table);
		work(500);
		pthread_rwlock_unlock(&table);
		work(1500);
	}
	done = true;
	return unused;
}

static void plant(void)
{
	pthread_t writes;

	start(3, "reader", reader);
	pthread_create(&writes, NULL, writer, NULL);
	pthread_setname_np(writes, "writer");
	pthread_join(writes, NULL);
	join(3);
}
