/* Each thread is joined before the next one is started. */
#include "plant.h"

static void *share(void *unused)
{
	work(25000L * size);
	return unused;
}

static void plant(void)
{
	for (int i = 0; i < 3; i++) {
		start(mended ? 2 : 1, "part", share);
		join(mended ? 2 : 1);
		if (!mended) {
			start(1, "part", share);
			join(1);
		}
	}
}
