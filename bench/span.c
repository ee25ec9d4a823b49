/*
 * span FILE PROGRAM...: runs the program, and adds a line to the file: when it was started and when
 * it had ended, in ns. Ends with its status.
 */
#include "base/monotonic.h"
#include <inttypes.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 2, NOT_FOUND = 127 };

int main(int argc, char **argv)
{
	int64_t began = monotonic_now(), ended;
	int status = 0;
	FILE *out;
	pid_t pid;

	if (argc < 3)
		return FAILED;
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(NOT_FOUND);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return FAILED;
	ended = monotonic_now();
	out = fopen(argv[1], "ae");
	if (!out || fprintf(out, "%" PRId64 " %" PRId64 "\n", began, ended) < 0 || fclose(out) != 0)
		return FAILED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}
