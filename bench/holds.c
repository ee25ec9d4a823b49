/*
 * A server under load, for holds.sh: prints its number, and then the 99th percentile of the times
 * of requests, us. With a number: a process of so many threads that wait, and two that compute,
 * until it is killed.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 4, REQUESTS = 3000, WORK = 20000, PAUSE_NS = 1000000 };

static int ends[CONNECTIONS][2];
static int64_t times[CONNECTIONS * REQUESTS];

static void check(int failed)
{
	if (failed) {
		perror("bench/holds");
		exit(2);
	}
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void work(void)
{
	for (volatile int i = 0; i < WORK; i++)
		;
}

static void *serve(void *connection)
{
	int fd = ((int *)connection)[1];
	char c;

	while (recv(fd, &c, 1, 0) == 1) {
		work();
		check(send(fd, &c, 1, 0) != 1);
	}
	return NULL;
}

static void *ask(void *connection)
{
	int fd = ((int *)connection)[0];
	int64_t *time = times + ((int(*)[2])connection - ends) * REQUESTS;
	char c = 0;

	for (int i = 0; i < REQUESTS; i++) {
		int64_t began = now();

		check(send(fd, &c, 1, 0) != 1 || recv(fd, &c, 1, 0) != 1);
		time[i] = now() - began;
		nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
	}
	return NULL;
}

static void each(void *(*run)(void *))
{
	pthread_t threads[CONNECTIONS];

	for (int i = 0; i < CONNECTIONS; i++)
		check(pthread_create(&threads[i], NULL, run, ends[i]));
	for (int i = 0; i < CONNECTIONS; i++)
		pthread_join(threads[i], NULL);
}

static int by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void server(void)
{
	pid_t child;

	for (int i = 0; i < CONNECTIONS; i++)
		check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]));
	child = fork();
	check(child < 0);
	if (!child) {
		each(serve);
		exit(0);
	}
	printf("%d\n", (int)child);
	fflush(stdout);
	each(ask);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	qsort(times, CONNECTIONS * REQUESTS, sizeof *times, by_time);
	printf("%.1f\n", (double)times[CONNECTIONS * REQUESTS * 99 / 100] / 1e3);
}

static void *stay(void *computes)
{
	while (computes)
		work();
	pause();
	return NULL;
}

static void many(int n)
{
	pthread_t thread;

	for (int i = 0; i < n + 2; i++)
		check(pthread_create(&thread, NULL, stay, i < 2 ? &thread : NULL));
	printf("ready\n");
	fflush(stdout);
	pause();
}

int main(int argc, char **argv)
{
	if (argc > 1)
		many(atoi(argv[1]));
	else
		server();
	return 0;
}
