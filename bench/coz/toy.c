/* After the first example of coz: two threads work at the same time, and one of them takes a little longer. */
#include "part.h"

PART(a, 20000)
PART(b, 19000)

static void *run_a(void *unused)
{
	a();
	return unused;
}

static void *run_b(void *unused)
{
	b();
	return unused;
}

static void program(void)
{
	for (int i = 0; i < rounds; i++) {
		two(run_a, run_b);
		COZ_PROGRESS;
	}
}
