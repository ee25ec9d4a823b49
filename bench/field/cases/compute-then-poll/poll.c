/* compute() runs for some 50 ms, then wait_for_it() blocks in poll(). Argument: without compute(). */
#include <poll.h>
#include <stddef.h>

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

__attribute__((noinline)) static int wait_for_it(void)
{
	int sum = 0;

	for (int i = 0; i < 8; i++)
		sum += poll(NULL, 0, 100) + 1;
	return sum;
}

int main(int n, char **words)
{
	(void)words;
	if (n == 1)
		compute(20000);
	return wait_for_it() == 0;
}
