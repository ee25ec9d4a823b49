/*
 * A consumer polls a flag without ever sleeping; the producer is ten times slower. Arguments:
 * "produce": it does half of its work; "sleeps": both wait on semaphores.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>

enum { ITEMS = 400 };

static atomic_int full;
static int half_produce, sleeps;
static sem_t filled, emptied;

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

__attribute__((noinline)) static void produce(void)
{
	compute(half_produce ? 250 : 500);
}

__attribute__((noinline)) static void consume(void)
{
	compute(50);
}

__attribute__((noinline)) static void take(void)
{
	if (sleeps) {
		sem_wait(&filled);
		return;
	}
	while (!atomic_load(&full)) {
	}
	atomic_store(&full, 0);
}

static void *consumer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		take();
		if (sleeps)
			sem_post(&emptied);
		consume();
	}
	return unused;
}

int main(int n, char **words)
{
	pthread_t thread;

	half_produce = n > 1 && !strcmp(words[1], "produce");
	sleeps = n > 1 && !strcmp(words[1], "sleeps");
	sem_init(&filled, 0, 0);
	sem_init(&emptied, 0, 1);
	pthread_create(&thread, NULL, consumer, NULL);
	for (int i = 0; i < ITEMS; i++) {
		produce();
		if (sleeps) {
			sem_wait(&emptied);
			sem_post(&filled);
			continue;
		}
		while (atomic_load(&full)) {
		}
		atomic_store(&full, 1);
	}
	return pthread_join(thread, NULL);
}
