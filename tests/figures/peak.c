/*
 * peak COMMAND...: runs it without huge pages, and at the same addresses each time where a container
 * allows it. Writes the KiB of memory that it had at most to file descriptor 3.
 */
#include <stdio.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage used;
	int status;
	pid_t pid;

	if (argc < 2 || prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0))
		return 2;
	personality(ADDR_NO_RANDOMIZE);
	pid = fork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid)
		return 2;
	dprintf(3, "%ld\n", used.ru_maxrss);
	return status != 0;
}
