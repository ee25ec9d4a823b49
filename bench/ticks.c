/* ticks EVENTS: logs so many events with two ints to $GLIMPSE_DIR, and nothing else. What bench/pack.sh packs. */
#include "bench/measure.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;

	if (n <= 0) {
		fputs("usage: ticks EVENTS\n", stderr);
		return 2;
	}
	event_loop(n);
	return 0;
}
