/* After tests/why/serial.c: before two threads share the work, one alone prepares it. */
#include "part.h"

PART(prepare, 6000)
PART(share_of_work, 4000)

static void *run_share(void *unused)
{
	share_of_work();
	return unused;
}

static void program(void)
{
	for (int i = 0; i < rounds; i++) {
		prepare();
		two(run_share, run_share);
		COZ_PROGRESS;
	}
}
