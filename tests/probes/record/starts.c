/*
 * Starts the program of its later arguments in the way that the first one names, with an empty
 * environment where the way takes one.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const empty[] = {NULL};

static int waited(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) < 0 ? 99 : WEXITSTATUS(status);
}

static int spawned(int error, const pid_t *pid)
{
	if (error) {
		errno = error;
		perror("spawn");
		return 98;
	}
	return waited(*pid);
}

static int piped(const char *command)
{
	FILE *f = popen(command, "r");
	int c;

	while (f && (c = getc(f)) != EOF)
		putchar(c);
	return f ? WEXITSTATUS(pclose(f)) : 97;
}

int main(int argc, char **argv)
{
	const char *way = argc > 2 ? argv[1] : "";
	char *file = argv[2], **args = argv + 2;
	pid_t pid = 0;

	if (!strcmp(way, "execve"))
		execve(file, args, empty);
	else if (!strcmp(way, "execv"))
		execv(file, args);
	else if (!strcmp(way, "execvp"))
		execvp(file, args);
	else if (!strcmp(way, "execvpe"))
		execvpe(file, args, empty);
	else if (!strcmp(way, "execl"))
		execl(file, file, args[1], args[2], (char *)NULL);
	else if (!strcmp(way, "execlp"))
		execlp(file, file, args[1], args[2], (char *)NULL);
	else if (!strcmp(way, "execle"))
		execle(file, file, args[1], args[2], (char *)NULL, empty);
	else if (!strcmp(way, "fexecve"))
		fexecve(open(file, O_RDONLY), args, empty);
	else if (!strcmp(way, "execveat"))
		execveat(AT_FDCWD, file, args, empty, 0);
	else if (!strcmp(way, "posix_spawn"))
		return spawned(posix_spawn(&pid, file, NULL, NULL, args, empty), &pid);
	else if (!strcmp(way, "posix_spawnp"))
		return spawned(posix_spawnp(&pid, file, NULL, NULL, args, empty), &pid);
	else if (!strcmp(way, "vfork") && (pid = vfork()) == 0)
		execve(file, args, empty), _exit(96);
	else if (pid)
		return waited(pid);
	else if (!strcmp(way, "system"))
		return WEXITSTATUS(system(file));
	else if (!strcmp(way, "popen"))
		return piped(file);
	perror(way);
	return 95;
}
