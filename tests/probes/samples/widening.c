/*
 * When samples come from events of processors, with a clock of its own: while threads switch more
 * often than these would interrupt, not for a short rest, and never where the kernel refuses them.
 */
#include "recorder/samples/widening.h"
#include <stdio.h>

#define MS INT64_C(1000000)

static unsigned tests;

static void check(bool good, const char *what)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", ++tests, what);
}

static int64_t now;
static uint64_t switches;
static unsigned changes;

/* Runs for some ms with so many switches in each; returns whether it is wide at the end. */
static bool run(unsigned ms, unsigned each)
{
	bool wide = widening_look(now, switches);

	for (unsigned i = 0; i < ms; i++) {
		now += MS;
		switches += each;
		if (i % 20 == 0 && widening_look(now, switches) != wide) {
			wide = !wide;
			changes++;
		}
	}
	return wide;
}

static void begin(uint64_t ticks)
{
	now = 5000 * MS;
	switches = 0;
	changes = 0;
	widening_open(now, ticks);
}

int main(void)
{
	begin(2000);
	check(!run(3000, 0) && !run(3000, 2) && !run(3000, 4) && !changes,
	      "few switches: events of threads");
	check(run(300, 5) && changes == 1, "more than twice the interrupts: of processors, soon");
	check(run(3000, 2) && changes == 1, "and they stay for half as many");
	for (int i = 0; i < 10; i++)
		run(500, 0), run(500, 50);
	check(changes == 1, "and for rests of half a second");
	check(!run(2000, 0) && changes == 2, "not for long ones");
	check(run(300, 50) && changes == 3, "and come back");
	begin(0);
	check(!run(3000, 1000) && !changes, "never where the kernel refuses them");
	begin(64000);
	check(!run(3000, 100) && run(300, 200), "with more processors it takes more switches");
	printf("1..%u\n", tests);
	return 0;
}
