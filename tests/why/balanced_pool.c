/* Eight workers of a pool; there are two jobs at a time, enough for two processors, and six are idle. */
#include "plant.h"

static struct queue jobs = QUEUE, done = QUEUE;

static void *worker(void *unused)
{
	while (get(&jobs)) {
		work(5000);
		put(&done);
	}
	return unused;
}

static void plant(void)
{
	start(8, "worker", worker);
	for (int i = 0; i < 50 * size; i++) {
		put(&jobs);
		if (i > 0)
			get(&done);
	}
	queue_close(&jobs);
	join(8);
}
