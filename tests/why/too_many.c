/* Thirty-two threads that only compute. */
#include "plant.h"

static void *share(void *unused)
{
	work((mended ? 150000L : 9000L) * size);
	return unused;
}

static void plant(void)
{
	int n = mended ? 2 : 32;

	start(n, "worker", share);
	join(n);
}
