/*
 * Threads that compute, fork, and execute this program again, to be sampled. Each prints its name
 * and for how long it ran, ns: "first" executes "second", which waits for its child. That executes
 * "third", of whose two threads one executes "fourth".
 */
#include "../computes.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG = 60 }; /* ms */

static char *program;

/* Runs for a while under a name. */
static void compute_as(const char *name, long ms)
{
	long began = now();

	pthread_setname_np(pthread_self(), name);
	compute(ms);
	printf("%s %ld\n", name, now() - began);
	fflush(stdout);
}

static void execute(char *next)
{
	char *words[] = {program, next, NULL};

	execv(program, words);
	abort();
}

static void *work(void *unused)
{
	compute_as("work", LONG);
	return unused;
}

static void *work_and_execute(void *unused)
{
	compute_as("changes", 2 * LONG);
	execute("fourth");
	return unused;
}

static void third(void)
{
	pthread_t both[2];

	pthread_setname_np(pthread_self(), "third");
	pthread_create(&both[0], NULL, work, NULL);
	pthread_create(&both[1], NULL, work_and_execute, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(both[i], NULL);
}

static void second(void)
{
	pid_t child;

	compute_as("second", LONG);
	child = fork();
	if (!child) {
		compute_as("child", LONG);
		execute("third");
	}
	waitpid(child, NULL, 0);
}

int main(int n, char **words)
{
	const char *part = n > 1 ? words[1] : "first";

	program = words[0];
	if (strcmp(part, "first") == 0) {
		compute_as("first", LONG);
		execute("second");
	} else if (strcmp(part, "second") == 0) {
		second();
	} else if (strcmp(part, "third") == 0) {
		third();
	} else {
		compute_as("fourth", LONG);
	}
	return 0;
}
