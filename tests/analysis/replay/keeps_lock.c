/*
 * keeps_lock WORK PAUSE: the thread `keeper` acquires a lock 300 times, computes for WORK
 * microseconds while it holds it, and acquires it again at once. Two other threads want it after
 * each PAUSE microseconds, as long as the keeper runs. The lock waits by the system call futex(), and makes
 * none if it is free.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { HOLDS = 300, OTHERS = 2 };
enum { FREE, HELD, WANTED };

static int word; /* one of these */
static long work, pause_us;

/* The specification names the lock by this function. */
__attribute__((noinline)) static void plain_lock_wait(int *lock)
{
	while (__atomic_exchange_n(lock, WANTED, __ATOMIC_ACQUIRE) != FREE)
		syscall(SYS_futex, lock, FUTEX_WAIT_PRIVATE, WANTED, NULL, NULL, 0);
}

static void lock_acquire(int *lock)
{
	int expected = FREE;

	if (!__atomic_compare_exchange_n(lock, &expected, HELD, 0, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		plain_lock_wait(lock);
}

__attribute__((noinline)) static void lock_release(int *lock)
{
	if (__atomic_exchange_n(lock, FREE, __ATOMIC_RELEASE) == WANTED)
		syscall(SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* The thread's own time: other programs do not make it shorter work. */
static int64_t own_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

__attribute__((noinline)) static void compute(void)
{
	int64_t until = own_time() + work * 1000;

	while (own_time() < until)
		;
}

static void *keep(void *unused)
{
	pthread_setname_np(pthread_self(), "keeper");
	for (int i = 0; i < HOLDS; i++) {
		lock_acquire(&word);
		compute();
		lock_release(&word);
	}
	return unused;
}

/* They end with the process. */
static void *want(void *unused)
{
	for (;;) {
		usleep((useconds_t)pause_us);
		lock_acquire(&word);
		lock_release(&word);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t keeper, other;

	if (argc != 3)
		return 2;
	work = atol(argv[1]);
	pause_us = atol(argv[2]);
	for (int i = 0; i < OTHERS; i++)
		if (pthread_create(&other, NULL, want, NULL))
			return 1;
	if (pthread_create(&keeper, NULL, keep, NULL))
		return 1;
	pthread_join(keeper, NULL);
	return 0;
}
