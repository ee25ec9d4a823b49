/* Calls whose numbers are known: main calls middle 10 times, that calls leaf 3 times; fib(10) is 177 calls. */
#include <stdio.h>

#define OWN __attribute__((noinline))

volatile int sink;

OWN int leaf(int n)
{
	sink += n;
	return n;
}

OWN int middle(int n)
{
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += leaf(n + i);
	return sum;
}

int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* A call in the last place: compilers make a jump of it. */
OWN int last(int n)
{
	return leaf(n);
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 10; i++)
		sum += middle(i);
	printf("%d %d %d\n", sum, fib(10), last(7));
	return 0;
}
