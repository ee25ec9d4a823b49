/*
 * Runs true(1) for each of 50 requests, from a process that uses 150 MB. Argument: "spawn" uses
 * posix_spawn(), otherwise fork().
 */
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char *const program[] = {"true", NULL};

__attribute__((noinline)) static pid_t start_fork(void)
{
	pid_t child = fork();

	if (child == 0) {
		execvp(program[0], program);
		_exit(127);
	}
	return child;
}

__attribute__((noinline)) static pid_t start_spawn(void)
{
	pid_t child;

	return posix_spawnp(&child, program[0], NULL, NULL, program, environ) ? -1 : child;
}

int main(int n, char **words)
{
	size_t size = (size_t)150 << 20;
	char *cache = malloc(size);

	if (!cache)
		return 1;
	memset(cache, 1, size);
	for (int i = 0; i < 50; i++) {
		int status;
		pid_t child = n > 1 && !strcmp(words[1], "spawn") ? start_spawn() : start_fork();

		if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
			return 1;
	}
	return cache[size / 2] != 1;
}
