/*
 * frozen [alone]: logs 100 events; for each line that it reads, logs as many as the line says, the
 * last of them in a new thread unless it is alone, and tells the number of all that returned.
 */
#include "probe.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static int32_t logged;
static sem_t done, never;

static void logs(int32_t n)
{
	for (int32_t i = 0; i < n; i++)
		Tick_Stamp(0, logged++);
}

/* The thread does not end: its log would be written to the disk. */
static void *last(void *argument)
{
	Tick_Stamp(1, logged++);
	sem_post(&done);
	sem_wait(&never);
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int n;

	(void)argv;

	logs(100);
	printf("%d\n", logged);
	fflush(stdout);
	while (scanf("%d", &n) == 1) {
		logs(n - 1);
		if (argc > 1) {
			logs(1);
		} else {
			pthread_create(&thread, NULL, last, NULL);
			sem_wait(&done);
		}
		printf("%d\n", logged);
		fflush(stdout);
	}
	return 0;
}
