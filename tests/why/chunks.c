/* The loop's counter has a lock, which each of its very short iterations takes. */
#include "plant.h"

static pthread_mutex_t next_lock = PTHREAD_MUTEX_INITIALIZER;
static int next;

__attribute__((noinline)) static int take(int n)
{
	int first;

	pthread_mutex_lock(&next_lock);
	work(5);
	first = next;
	next += n;
	pthread_mutex_unlock(&next_lock);
	return first;
}

static void *loop(void *unused)
{
	int chunk = mended ? 500 : 1, end = 20000 * size;

	for (int i; (i = take(chunk)) < end;)
		for (int k = 0; k < chunk; k++)
			work(2);
	return unused;
}

static void plant(void)
{
	start(2, "worker", loop);
	join(2);
}
