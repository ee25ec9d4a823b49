/* Threads that come and go: N one after another or, for N = 0, in two lines for ever. */
#include "pooled_glimpse.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *logs(void *number)
{
	int me = (int)(intptr_t)number;

	for (int i = 0; i < 5; i++) {
		Begin_Stamp(me, i, "some text");
		End_Stamp(me, i);
	}
	return NULL;
}

static void *line(void *end)
{
	pthread_t thread;

	for (intptr_t i = 0; !end || i < (intptr_t)end; i++) {
		pthread_create(&thread, NULL, logs, (void *)i);
		pthread_join(thread, NULL);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t other;

	if (!n)
		pthread_create(&other, NULL, line, NULL);
	line((void *)(intptr_t)n);
	return 0;
}
