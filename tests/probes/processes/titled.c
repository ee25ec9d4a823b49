/*
 * As servers do: writes a title with a path in it over its arguments, empties its environment, and starts a worker, which
 * waits for what the server writes to a pipe. Argument: room for the title.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(int n, char **arguments)
{
	int ends[2];
	char byte = 0;

	if (n < 2 || strlen(arguments[1]) < 20 || pipe(ends))
		return 1;
	/* the arguments are one piece of memory */
	strcpy(arguments[0], "server: of /some/where");
	if (clearenv())
		return 1;
	if (!fork()) {
		pthread_mutex_lock(&mutex);
		if (read(ends[0], &byte, 1) != 1)
			_exit(2);
		pthread_mutex_unlock(&mutex);
		exit(0);
	}
	usleep(20000);
	if (write(ends[1], &byte, 1) != 1)
		return 1;
	wait(&n);
	printf("%d\n", WEXITSTATUS(n));
	return 0;
}
