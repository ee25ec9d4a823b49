/* One thread, and processors for more. */
#include "plant.h"

static void *share(void *unused)
{
	work((mended ? 75000L : 150000L) * size);
	return unused;
}

static void plant(void)
{
	int n = mended ? 2 : 1;

	start(n, "worker", share);
	join(n);
}
