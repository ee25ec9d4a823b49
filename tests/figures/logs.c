/* logs EVENTS: logs so many events with two ints. */
#include "tests/runtime/probe.h"
#include <stdlib.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;

	for (int i = 0; i < n; i++)
		Tick_Stamp(i, i * 2);
	return 0;
}
