/*
 * children: a parent whose children compute while it waits. One argument: "one", or "two" one after
 * the other; or the name of a file, which it makes as a compiler does, when it has computed.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile double number;

__attribute__((noinline)) static void compute(void)
{
	for (long i = 0; i < 60000000; i++)
		number = number * 1.0000001 + 1;
}

static void child_computes(void)
{
	int status;

	if (!fork()) {
		compute();
		_exit(0);
	}
	wait(&status);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "one") || !strcmp(argv[1], "two")) {
		child_computes();
		if (!strcmp(argv[1], "two"))
			child_computes();
		return 0;
	}
	compute();
	return !fopen(argv[1], "w");
}
