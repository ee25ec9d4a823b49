/*
 * Two threads compute for 5 ms 40 times each, all of it under one lock; with the argument "unlocked",
 * without the lock.
 */
#include <pthread.h>
#include <stddef.h>
#include <time.h>

enum { THREADS = 2, TIMES = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int locked;

static double cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void *work(void *unused)
{
	for (int i = 0; i < TIMES; i++) {
		double end;

		if (locked)
			pthread_mutex_lock(&lock);
		end = cpu_ms() + 5;
		while (cpu_ms() < end)
			;
		if (locked)
			pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	(void)argv;
	locked = argc < 2;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}
