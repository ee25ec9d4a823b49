/*
 * Threads that compute, fork, and execute this program again, to be sampled. Each prints its name
 * and for how long it ran, ns: "first" executes "second", which waits for its child. That executes
 * "third", of whose two threads one executes "fourth".
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LONG = 60000000 };

static char *program;

static int64_t own_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Runs for a while under a name. */
static void compute(const char *name, int64_t least)
{
	volatile unsigned x = 0;
	int64_t began = own_time();

	pthread_setname_np(pthread_self(), name);
	while (own_time() - began < least)
		for (unsigned i = 0; i < 10000; i++)
			x = x * 3 + i;
	printf("%s %" PRId64 "\n", name, own_time() - began);
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
	compute("work", LONG);
	return unused;
}

static void *work_and_execute(void *unused)
{
	compute("changes", 2L * LONG);
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

	compute("second", LONG);
	child = fork();
	if (!child) {
		compute("child", LONG);
		execute("third");
	}
	waitpid(child, NULL, 0);
}

int main(int n, char **words)
{
	const char *now = n > 1 ? words[1] : "first";

	program = words[0];
	if (strcmp(now, "first") == 0) {
		compute("first", LONG);
		execute("second");
	} else if (strcmp(now, "second") == 0) {
		second();
	} else if (strcmp(now, "third") == 0) {
		third();
	} else {
		compute("fourth", LONG);
	}
	return 0;
}
