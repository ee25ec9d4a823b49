#include "recorder/samples/widening.h"

#define WINDOW INT64_C(100000000)
/* A program that works and rests by turns keeps its events for so many windows of rest. */
#define QUIET_MOST 10

static uint64_t ticks, before;
static int64_t since;
static unsigned quiet; /* windows with few switches, one after the other */
static bool wide;

void widening_open(int64_t now, uint64_t of_all_processors)
{
	ticks = of_all_processors;
	before = 0;
	since = now;
	quiet = 0;
	wide = false;
}

bool widening_look(int64_t now, uint64_t switches)
{
	double rate;

	if (!ticks || now < since + WINDOW)
		return wide;
	rate = (double)(switches - before) * 1e9 / (double)(now - since);
	since = now;
	before = switches;
	quiet = rate < (double)ticks / 2 ? quiet + 1 : 0;
	if (rate > 2 * (double)ticks)
		wide = true;
	else if (quiet >= QUIET_MOST)
		wide = false;
	return wide;
}
