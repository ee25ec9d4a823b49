/* Threads update cells under a spinlock, 40000 times in all. Argument: the number of threads. */
#include <pthread.h>
#include <stdlib.h>

static pthread_spinlock_t cells;
static int many = 16;

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

__attribute__((noinline)) static void update(void)
{
	pthread_spin_lock(&cells);
	compute(1);
	pthread_spin_unlock(&cells);
}

static void *work(void *unused)
{
	for (int i = 0; i < 40000 / many; i++) {
		compute(2);
		update();
	}
	return unused;
}

int main(int n, char **words)
{
	pthread_t threads[64];

	if (n > 1)
		many = atoi(words[1]);
	pthread_spin_init(&cells, PTHREAD_PROCESS_PRIVATE);
	for (int i = 0; i < many; i++)
		pthread_create(threads + i, NULL, work, NULL);
	for (int i = 0; i < many; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
