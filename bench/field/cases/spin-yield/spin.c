/*
 * Six threads hold a lock 8000 times each; who finds it held yields the processor. Argument: a mutex
 * instead.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int blocks;

/* Computes for about 2 us for each thousand. */
__attribute__((noinline)) static void compute(long thousands)
{
	unsigned long x = 1;
	volatile unsigned long result;

	for (long i = 0; i < thousands * 1000; i++) {
		x = x * 6364136223846793005u + 1;
		x ^= x >> 29;
	}
	result = x;
	(void)result;
}

__attribute__((noinline)) static void acquire(void)
{
	if (blocks)
		pthread_mutex_lock(&mutex);
	else
		while (atomic_flag_test_and_set(&flag))
			sched_yield();
}

static void *work(void *unused)
{
	for (int i = 0; i < 8000; i++) {
		acquire();
		compute(2);
		if (blocks)
			pthread_mutex_unlock(&mutex);
		else
			atomic_flag_clear(&flag);
		compute(1);
	}
	return unused;
}

int main(int n, char **words)
{
	pthread_t threads[6];

	(void)words;
	blocks = n > 1;
	for (int i = 0; i < 6; i++)
		pthread_create(threads + i, NULL, work, NULL);
	for (int i = 0; i < 6; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
