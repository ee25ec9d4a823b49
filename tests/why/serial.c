/* Before the threads start, one alone does what they could have shared. */
#include "plant.h"

__attribute__((noinline)) static void prepare(long us)
{
	work(us);
}

static void *share(void *unused)
{
	work((mended ? 130000L : 80000L) * size);
	return unused;
}

static void plant(void)
{
	prepare(mended ? 1000 : 160000L * size);
	start(2, "worker", share);
	join(2);
}
