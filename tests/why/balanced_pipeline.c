/* Two stages that take the same time. */
#include "plant.h"

static struct queue between = QUEUE;

static void *second(void *unused)
{
	while (get(&between))
		work(1000);
	return unused;
}

static void plant(void)
{
	start(1, "second", second);
	for (int i = 0; i < 130 * size; i++) {
		work(1000);
		put(&between);
	}
	queue_close(&between);
	join(1);
}
