/* A parent waits for its child, which computes. The argument: how long, in millions of rounds. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sum;

__attribute__((noinline)) static void compute(long millions)
{
	for (long i = 0; i < millions * 1000000; i++)
		sum += (unsigned long)i * 3;
}

int main(int n, char **words)
{
	int status;
	pid_t child = fork();

	if (child < 0)
		return 1;
	if (child == 0) {
		compute(n > 1 ? atol(words[1]) : 100);
		_exit(0);
	}
	return waitpid(child, &status, 0) != child || status != 0;
}
