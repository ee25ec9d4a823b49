/*
 * Calls a function that restores all registers at its end, and a library's function by a stub of the linker, some
 * 100 million times: many samples are in their ends and in the stub.
 */
#include <stdlib.h>

static volatile long sink;

__attribute__((noinline)) static long restores(long a, long b)
{
	/* the end of the function pops all six registers that a function has to keep */
	__asm__ volatile("" : : : "rbx", "rbp", "r12", "r13", "r14", "r15");
	return a ^ b;
}

__attribute__((noinline)) static void repeated(long n)
{
	for (long i = 0; i < n; i++)
		sink = restores(sink, i) + labs(i);
}

int main(int argc, char **argv)
{
	repeated(argc > 1 ? atol(argv[1]) : 100000000);
	return 0;
}
