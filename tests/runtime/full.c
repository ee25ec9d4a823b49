/*
 * full TAKE: logs to GLIMPSE_DIR, lets the command TAKE take all that is left on the disk, once
 * what is mapped was written there, and logs on. It tells how many events it logged.
 */
#include "probe.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENTS 400000

static int32_t logged;

static void logs(int32_t n)
{
	for (int32_t i = 0; i < n; i++)
		Tick_Stamp(0, logged++);
}

static void *other(void *argument)
{
	Tick_Stamp(1, 0);
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	logs(argc > 2 ? atoi(argv[2]) : 100);
	for (int i = 0; i < 2; i++) {
		sync();
		if (system(argv[1]) < 0)
			return 1;
		logs(EVENTS);
	}
	pthread_create(&thread, NULL, other, NULL);
	pthread_join(thread, NULL);
	printf("%d\n", logged + 1);
	return 0;
}
