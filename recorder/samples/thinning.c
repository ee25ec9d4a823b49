#include "recorder/samples/thinning.h"
#include <string.h>

#define WINDOW INT64_C(500000000)
/* The part of the machine that samples may cost, and below which more are taken again. */
#define MOST_SHARE 0.02
#define LEAST_SHARE 0.005

static unsigned of, fewest, machine;
static int64_t since, used_since;
/* Threads count their samples here by their numbers; some share a place. */
static unsigned char passed[1024];

void thinning_open(int64_t now, unsigned processors)
{
	of = fewest = 1;
	machine = processors;
	since = now;
	used_since = 0;
	memset(passed, 0, sizeof passed);
}

bool thinning_takes(uint32_t tid)
{
	return of == 1 || ++passed[tid % sizeof passed] % of == 0;
}

void thinning_look(int64_t now, int64_t used)
{
	double share;

	if (!machine || now < since + WINDOW)
		return;
	share = (double)(used - used_since) / ((double)(now - since) * machine);
	since = now;
	used_since = used;
	if (share < LEAST_SHARE && of > 1)
		of /= 2;
	for (; share > MOST_SHARE && of < THINNING_MOST; share /= 2)
		of *= 2;
	if (of > fewest)
		fewest = of;
}

unsigned thinning_fewest(void)
{
	return fewest;
}
