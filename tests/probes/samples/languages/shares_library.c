/* The library of shares.c. */
static volatile unsigned long sink;

void quarter(long n);

void quarter(long n)
{
	unsigned long x = n;

	for (long i = 0; i < n; i++)
		x = (x * 1664525 + 1013904223) ^ x >> 13;
	sink += x;
}
