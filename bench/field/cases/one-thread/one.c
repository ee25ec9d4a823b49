/* Computes in one thread. The argument: how long, in millions of rounds. */
#include <stdlib.h>

static volatile unsigned long sum;

__attribute__((noinline)) static void compute(long rounds)
{
	for (long i = 0; i < rounds; i++)
		sum += (unsigned long)i * 3;
}

int main(int n, char **words)
{
	compute((n > 1 ? atol(words[1]) : 100) * 1000000);
	return 0;
}
