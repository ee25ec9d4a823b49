/* Main generates tasks for three workers. Argument: what one costs it, thousands of rounds. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { TASKS = 300, WORKERS = 3 };

static sem_t tasks;
static atomic_int ended;
static long length = 600;

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

__attribute__((noinline)) static void generate(void)
{
	compute(length);
}

__attribute__((noinline)) static void run_task(void)
{
	compute(200);
}

static void *work(void *unused)
{
	for (;;) {
		sem_wait(&tasks);
		if (atomic_load(&ended))
			return unused;
		run_task();
	}
}

int main(int n, char **words)
{
	pthread_t threads[WORKERS];

	if (n > 1)
		length = atol(words[1]);
	sem_init(&tasks, 0, 0);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(threads + i, NULL, work, NULL);
	for (int i = 0; i < TASKS; i++) {
		generate();
		sem_post(&tasks);
	}
	atomic_store(&ended, 1);
	for (int i = 0; i < WORKERS; i++)
		sem_post(&tasks);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
