/*
 * lanes EVENTS THREADS: threads that call functions, down to DEEPEST within each other and by lot, and
 * now and then leave the processor: for pictures with calls and states. Logs as GLIMPSE_DIR says.
 */
#include "lanes_glimpse.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 24, FUNCTIONS = 40, SLICE = 20, THREADS = 64 };

static unsigned long events_each;
static char code[FUNCTIONS * 64];       /* its bytes stand for functions */

static void *work(void *name)
{
	const char *open[DEEPEST];
	unsigned depth = 0;
	uint64_t state = (uintptr_t)name;

	glimpse_thread_name(name);
	In_Stamp(depth);
	for (unsigned long i = 0; i < events_each; i++) {
		state = state * 6364136223846793005 + 1442695040888963407;
		if (i % SLICE == 0) {
			Out_Stamp();
			In_Stamp(depth);
		} else if (depth == 0 || (depth < DEEPEST && state >> 63)) {
			open[depth] = &code[(state >> 40) % FUNCTIONS * 64];
			Enter_Stamp(open[depth], code);
			depth++;
		} else {
			Leave_Stamp(open[--depth]);
		}
	}
	while (depth)
		Leave_Stamp(open[--depth]);
	Out_Stamp();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	char names[THREADS][16];
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 16;

	if (argc < 2 || n < 1 || n > THREADS)
		return 2;
	/* a slice has one event more than turns */
	events_each = strtoul(argv[1], NULL, 10) / n * SLICE / (SLICE + 1);
	for (unsigned i = 0; i < n; i++) {
		snprintf(names[i], sizeof names[i], "%s-%u", i % 4 ? "worker" : "helper", i);
		if (pthread_create(&thread[i], NULL, work, names[i]))
			return 2;
	}
	for (unsigned i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
