/*
 * Two phases run the same recursion, 2000 frames deep, and compute at its bottom: first() three
 * times as long as second(). Argument: first() computes half as long.
 */
#include <stdlib.h>

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

__attribute__((noinline)) static int descend(int depth, long thousands)
{
	volatile char pad[128];

	pad[depth & 127] = 1;
	if (depth == 0)
		compute(thousands);
	else
		descend(depth - 1, thousands);
	return pad[depth & 127];
}

__attribute__((noinline)) static int first(long thousands)
{
	return descend(2000, thousands) + 1;
}

__attribute__((noinline)) static int second(void)
{
	return descend(2000, 50000) + 1;
}

int main(int n, char **words)
{
	(void)words;
	return first(n > 1 ? 75000 : 150000) + second() == 0;
}
