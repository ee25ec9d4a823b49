/*
 * Computes for each block of 8 KB, and passes it on. Arguments: how long, thousands of rounds; how
 * many blocks to make; without it, the blocks come from standard input, and go nowhere.
 */
#include <stdlib.h>
#include <unistd.h>

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

/* Returns whether a whole block was read. */
static int get(char *block, size_t size)
{
	for (size_t at = 0; at < size;) {
		ssize_t n = read(0, block + at, size - at);

		if (n <= 0)
			return 0;
		at += (size_t)n;
	}
	return 1;
}

int main(int n, char **words)
{
	long length = n > 1 ? atol(words[1]) : 400;
	char block[8192] = "block";

	if (n > 2)
		for (long i = atol(words[2]); i > 0; i--) {
			compute(length);
			if (write(1, block, sizeof block) != sizeof block)
				return 1;
		}
	else
		while (get(block, sizeof block))
			compute(length);
	return 0;
}
