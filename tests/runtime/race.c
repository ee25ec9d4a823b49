/* Everything that threads do at the same time, in one process, for ThreadSanitizer to look at. */
#include "probe.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS 3
#define EVENTS 20000

static void *logs(void *argument)
{
	int32_t me = (int32_t)(intptr_t)argument;

	glimpse_thread_name("racer");
	for (int32_t i = 0; i < EVENTS; i++) {
		Tick_Stamp(me, i);
		if (i % 5000 == 0)
			Say_Stamp(me, "again");
	}
	if (me % 2)
		glimpse_thread_close();
	return NULL;
}

static int snapshot(const char *directory, int number)
{
	char path[4096];

	snprintf(path, sizeof path, "%s.snap%d", directory, number);
	return glimpse_snapshot(path);
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int bad = argc != 2;

	for (int round = 0; round < ROUNDS && !bad; round++) {
		for (intptr_t i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, logs, (void *)i);
		bad += glimpse_switch("Say", round % 2) != 0;
		bad += snapshot(argv[1], round) != 0;
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
	}
	return bad;
}
