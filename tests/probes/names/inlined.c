/* Which share of its processor time is in a function that the compiler puts into one that it puts into another. */
#include "inlined.h"
#include <stdlib.h>

volatile unsigned long sink;

__attribute__((noinline)) void outer(unsigned long n)
{
	middle(3 * n);
	for (unsigned long i = 0; i < n; i++)
		sink += i;
}

int main(int argc, char **argv)
{
	outer(argc > 1 ? strtoul(argv[1], NULL, 0) : 100000000);
	return 0;
}
