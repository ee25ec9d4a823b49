/* peer NAME TARGET: our event and another tool's take turns, a million at a time. */
#include "bench/peer.h"
#include "bench/measure.h"
#include "tests/runtime/probe.h"
#include <stdio.h>

#define TURN 1000000L
#define TURNS 11u

static double timed(void (*loop)(long))
{
	double began = cpu_ns();

	loop(TURN);
	return (cpu_ns() - began) / TURN;
}

static void take_turns(void *argument, double *results)
{
	double ours[TURNS], theirs[TURNS], ratio[TURNS];

	(void)argument;
	memory_warm(48.0 * TURNS * TURN);    /* theirs are larger */
	event_loop(TURN / 10);
	peer_loop(TURN / 10);
	for (unsigned i = 0; i < TURNS; i++) {
		theirs[i] = timed(peer_loop);
		ours[i] = timed(event_loop);
		ratio[i] = ours[i] / theirs[i];
	}
	results[0] = median(ours, TURNS);
	results[1] = median(theirs, TURNS);
	results[2] = median(ratio, TURNS);
}

int main(int argc, char **argv)
{
	double r[RESULTS];
	char name[100];

	if (argc != 3)
		return 2;
	measure(take_turns, NULL, NULL, r);
	snprintf(name, sizeof name, "event / the same event through %s", argv[1]);
	row(name, r[2], argv[2], "%.1f ns and %.1f ns", r[0], r[1]);
	return 0;
}
