/*
 * A producer puts items into a box and does its bookkeeping under the lock of the box, after it
 * signalled. Argument: it releases the lock before.
 */
#include <pthread.h>
#include <unistd.h>

enum { ITEMS = 60 };

static pthread_mutex_t box = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int items, early;

__attribute__((noinline)) static int bookkeep(void)
{
	return usleep(3000);
}

__attribute__((noinline)) static void put(void)
{
	pthread_mutex_lock(&box);
	while (items)
		pthread_cond_wait(&emptied, &box);
	items++;
	pthread_cond_signal(&filled);
	if (early)
		pthread_mutex_unlock(&box);
	if (bookkeep())
		_exit(1);
	if (!early)
		pthread_mutex_unlock(&box);
}

static void *consume(void *failed)
{
	for (int i = 0; i < ITEMS; i++) {
		pthread_mutex_lock(&box);
		while (!items)
			pthread_cond_wait(&filled, &box);
		if (usleep(3000)) /* copies the item */
			return failed;
		items--;
		pthread_cond_signal(&emptied);
		pthread_mutex_unlock(&box);
	}
	return NULL;
}

int main(int n, char **words)
{
	pthread_t thread;

	(void)words;
	early = n > 1;
	if (pthread_create(&thread, NULL, consume, &box))
		return 1;
	for (int i = 0; i < ITEMS; i++)
		put();
	return pthread_join(thread, NULL);
}
