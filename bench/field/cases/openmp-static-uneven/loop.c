/* Computes the rows of a triangular matrix in parallel. */

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

__attribute__((noinline)) static void row(long i)
{
	compute(i * 2);
}

int main(void)
{
#pragma omp parallel for schedule(runtime)
	for (long i = 0; i < 400; i++)
		row(i);
	return 0;
}
