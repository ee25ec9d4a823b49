/*
 * locks: a mutex that nobody else wants is taken and released with whatever is preloaded, and
 * without, in turns, in a process of two threads. Prints nanoseconds: a bare loop, the pair without,
 * the pair with.
 */
#include "bench/measure.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define TURN 200000L
#define TURNS 21u

typedef int lock_function(pthread_mutex_t *lock);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static lock_function *volatile take, *volatile release;

static void pairs(long n)
{
	for (long i = 0; i < n; i++) {
		take(&lock);
		release(&lock);
	}
}

static double timed(void (*loop)(long))
{
	double began = cpu_ns();

	loop(TURN);
	return (cpu_ns() - began) / TURN;
}

static double pair_timed(lock_function *t, lock_function *r)
{
	take = t;
	release = r;
	return timed(pairs);
}

/* While a process has only one thread, glibc takes its locks without atomic instructions. */
static void *second(void *unused)
{
	pause();
	return unused;
}

int main(void)
{
	pthread_t thread;
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	lock_function *bare_take = libc ? (lock_function *)dlsym(libc, "pthread_mutex_lock") : NULL;
	lock_function *bare_release = libc ? (lock_function *)dlsym(libc, "pthread_mutex_unlock") : NULL;
	double bare[TURNS], without[TURNS], with[TURNS];

	if (!bare_take || !bare_release || pthread_create(&thread, NULL, second, NULL))
		return 2;
	pair_timed(pthread_mutex_lock, pthread_mutex_unlock);
	if (getenv("GLIMPSE_DIR"))
		memory_warm(36.0 * TURNS * TURN);
	for (unsigned i = 0; i < TURNS; i++) {
		bare[i] = timed(bare_loop);
		without[i] = pair_timed(bare_take, bare_release);
		with[i] = pair_timed(pthread_mutex_lock, pthread_mutex_unlock);
	}
	printf("%.2f %.2f %.2f\n", median(bare, TURNS), median(without, TURNS), median(with, TURNS));
	return 0;
}
