/*
 * futex: two threads on one processor wake each other by futex() in turns, with whatever is
 * preloaded and without; and one thread takes and releases a free lock of one word. Prints
 * nanoseconds: a wait with its wake-up without and with, the lock without and with. With an argument
 * the threads wake each other so often through syscall(), and nothing is measured.
 */
#include "bench/measure.h"
#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TURN 4000
#define TURNS 21u

typedef long call_function(long number, ...);

static call_function *volatile call;
static int words[2], rounds, lock;

static double process_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void turns_take(int own)
{
	for (int i = 0; i < rounds; i++) {
		while (__atomic_load_n(&words[own], __ATOMIC_ACQUIRE) == 0)
			call(SYS_futex, &words[own], FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
		words[own] = 0;
		__atomic_store_n(&words[!own], 1, __ATOMIC_RELEASE);
		call(SYS_futex, &words[!own], FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

static void *other_thread(void *argument)
{
	turns_take(1);
	return argument;
}

static double handed(void)
{
	double began = process_ns();
	pthread_t thread;

	words[0] = 1;
	words[1] = 0;
	pthread_create(&thread, NULL, other_thread, NULL);
	turns_take(0);
	pthread_join(thread, NULL);
	return (process_ns() - began) / (2.0 * rounds);
}

/* As most locks on futexes: 0: free; 1: held; 2: others wait. */
static double lock_free(void)
{
	double began = cpu_ns();

	for (long i = 0; i < 1000000; i++) {
		int is_free = 0;

		while (!__atomic_compare_exchange_n(&lock, &is_free, 1, false, __ATOMIC_ACQUIRE,
						    __ATOMIC_RELAXED))
			call(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
		if (__atomic_exchange_n(&lock, 0, __ATOMIC_RELEASE) == 2)
			call(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
	return (cpu_ns() - began) / 1000000;
}

int main(int n, char **arguments)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	double results[4][TURNS];
	cpu_set_t one;

	if (!libc)
		return 2;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	call = syscall;
	rounds = n > 1 ? atoi(arguments[1]) : TURN;
	if (n > 1) {
		handed();
		return 0;
	}
	for (unsigned i = 0; i < TURNS; i++) {
		call = (call_function *)dlsym(libc, "syscall");
		results[0][i] = handed();
		results[2][i] = lock_free();
		call = syscall;
		results[1][i] = handed();
		results[3][i] = lock_free();
	}
	for (unsigned i = 0; i < 4; i++)
		printf("%g ", median(results[i], TURNS));
	putchar('\n');
	return 0;
}
