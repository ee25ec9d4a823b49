/* Two threads share the work out evenly. */
#include "plant.h"

static void *share(void *unused)
{
	work(120000L * size);
	return unused;
}

static void plant(void)
{
	work(1000);
	start(2, "worker", share);
	join(2);
}
