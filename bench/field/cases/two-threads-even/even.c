/* Two threads compute the same. The argument: how long, in millions of rounds. */
#include <pthread.h>
#include <stdlib.h>

static long rounds;

__attribute__((noinline)) static void compute(volatile unsigned long *sum)
{
	for (long i = 0; i < rounds; i++)
		*sum += (unsigned long)i * 3;
}

static void *work(void *unused)
{
	volatile unsigned long sum = 0;

	compute(&sum);
	return unused;
}

int main(int n, char **words)
{
	pthread_t other;

	rounds = (n > 1 ? atol(words[1]) : 100) * 1000000;
	if (pthread_create(&other, NULL, work, NULL))
		return 1;
	work(NULL);
	return pthread_join(other, NULL);
}
