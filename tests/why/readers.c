/* Readers have the lock nearly all the time, one or the other: the writer gets it late. */
#include "plant.h"

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static volatile bool done;

/* Each has its own rhythm: else all would be done at once. */
static void *reader(void *number)
{
	while (!done) {
		pthread_rwlock_rdlock(&table);
		usleep(mended ? 100 : 3000 + 1000 * (long)number);
		pthread_rwlock_unlock(&table);
		usleep(mended ? 3000 : 500);
	}
	return NULL;
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
