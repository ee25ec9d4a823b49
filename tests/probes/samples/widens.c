/*
 * Usage: widens. Prints "ready" once two threads and their process switch often, and waits for a
 * line. A child then computes, and ends. On the next line, switching ends: prints "rests", and a
 * thread computes once there is another line. Prints the processor time of each in ns:
 * NAME TIME, for the functions that compute.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int to[2], from[2];
static volatile int ends;

static int64_t own_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

#define COMPUTES(name) \
	static __attribute__((noinline)) int64_t name(int64_t ns) \
	{ \
		int64_t begin = own_time(), now; \
\
		do { \
			for (volatile int i = 0; i < 1000; i++) \
				; \
			now = own_time(); \
		} while (now < begin + ns); \
		return now - begin; \
	}

COMPUTES(asks)
COMPUTES(answers)
COMPUTES(in_child)
COMPUTES(in_grandchild)
COMPUTES(alone)

static int64_t answered;

static void *answer(void *unused)
{
	char byte;

	(void)unused;
	while (read(to[0], &byte, 1) == 1) {
		answered += answers(20000);
		if (write(from[1], &byte, 1) != 1)
			abort();
	}
	return NULL;
}

static int64_t asked;

static void *ask(void *unused)
{
	char byte = 0;

	(void)unused;
	while (!ends) {
		asked += asks(10000);
		if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
			abort();
	}
	close(to[1]);
	return NULL;
}

static void line_wait(void)
{
	if (getchar() == EOF)
		exit(1);
}

/* Runs in a process that is forked, and one that this one forks at once. */
static void family(void)
{
	pid_t child = fork();

	if (child == 0) {
		pid_t grandchild = fork();

		if (grandchild == 0) {
			printf("in_grandchild %lld\n", (long long)in_grandchild(500000000));
			fflush(stdout);
			_exit(0);
		}
		printf("in_child %lld\n", (long long)in_child(500000000));
		fflush(stdout);
		waitpid(grandchild, NULL, 0);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(void)
{
	pthread_t threads[2];

	if (pipe(to) || pipe(from))
		abort();
	pthread_create(&threads[0], NULL, answer, NULL);
	pthread_create(&threads[1], NULL, ask, NULL);
	puts("ready");
	fflush(stdout);
	line_wait();
	family();
	ends = 1;
	pthread_join(threads[1], NULL);
	pthread_join(threads[0], NULL);
	puts("rests");
	fflush(stdout);
	line_wait();
	printf("asks %lld\nanswers %lld\n", (long long)asked, (long long)answered);
	printf("alone %lld\n", (long long)alone(500000000));
	return 0;
}
