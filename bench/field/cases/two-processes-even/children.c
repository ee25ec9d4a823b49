/* Starts two children that compute. Argument: how long, thousands of rounds. */
#include <stdlib.h>
#include <sys/wait.h>
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

int main(int n, char **words)
{
	int status, failed = 0;

	for (int i = 0; i < 2; i++) {
		pid_t child = fork();

		if (child < 0)
			return 1;
		if (child == 0) {
			compute(n > 1 ? atol(words[1]) : 120000);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		failed |= status != 0;
	return failed;
}
