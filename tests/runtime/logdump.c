/*
 * logdump DIR LAYOUTS...: prints the events of a log directory, log by log, then a line about the
 * run. What LAYOUTS are stands in reader.h.
 */
#include "reader.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void event_print(const struct reader_event *e)
{
	printf("%u.%u %.*s.%u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", e->thread, e->level,
	       (int)strcspn(e->spec, "="), e->spec, e->index, e->values[0], e->values[1],
	       e->values[2]);
}

int main(int argc, char **argv)
{
	struct reader_run run;
	bool faulty;

	if (argc < 2 || !reader_read(&run, argv[1], (const char *const *)argv + 2)) {
		fprintf(stderr, "logdump: no log in %s\n", argc < 2 ? "nothing" : argv[1]);
		return 2;
	}
	for (size_t i = 0; i < run.count; i++)
		event_print(&run.events[i]);
	printf("run: %u logs, %u ended, %" PRIu64 " lost, %" PRIu64 " dropped, state %u, %u faults\n",
	       run.logs, run.ended, run.lost, run.dropped, run.state, run.faults);
	faulty = run.faults != 0;
	reader_clear(&run);
	return faulty;
}
