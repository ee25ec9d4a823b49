/*
 * What the programs beside coz share. Each runs as PROGRAM ROUNDS [PART]: the named part does half of its work.
 * A part is a function that one line defines; coz's experiments are about this line, ours about the function.
 */
#ifndef BENCH_COZ_PART_H
#define BENCH_COZ_PART_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if __has_include(<coz.h>)
#include <coz.h>
#else
#define COZ_PROGRESS
#endif

static int rounds;
static const char *halved = "";

/*
 * A function of so many thousand multiplications, all on the line that defines it. Each multiplication waits for the
 * one before: what another thread does on the same core takes no time from it.
 */
/* clang-format off */
#define PART(name, thousands) \
	static void __attribute__((noinline)) name(void) \
	{ \
		unsigned long x = 3, n = 1000UL * (thousands) / (strcmp(halved, #name) == 0 ? 2 : 1); \
		for (unsigned long i = 0; i < n; i++) { \
			x *= x; \
			__asm__ volatile("" : "+r"(x)); \
		} \
	}
/* clang-format on */

static inline void two(void *(*one)(void *), void *(*other)(void *))
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, other, &rounds);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

static void program(void);

/* Prints how long the program took, ns. */
int main(int n, char **arguments)
{
	struct timespec began, ended;

	rounds = n > 1 ? atoi(arguments[1]) : 1;
	if (n > 2)
		halved = arguments[2];
	clock_gettime(CLOCK_MONOTONIC, &began);
	program();
	clock_gettime(CLOCK_MONOTONIC, &ended);
	printf("%lld\n",
	       (ended.tv_sec - began.tv_sec) * 1000000000LL + ended.tv_nsec - began.tv_nsec);
	return 0;
}

#endif
