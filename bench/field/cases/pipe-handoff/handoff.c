/*
 * An event loop (main) hands jobs to a worker through a pipe and waits in poll() for the worker's
 * answer in another pipe. The worker sleeps for each job. Argument: length of a job, us.
 */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int jobs[2], answers[2];
static useconds_t length = 5000;

__attribute__((noinline)) static char serve(void)
{
	usleep(length);
	return 1;
}

static void *worker(void *unused)
{
	char c;

	while (read(jobs[0], &c, 1) == 1) {
		c = serve();
		if (write(answers[1], &c, 1) != 1)
			break;
	}
	return unused;
}

int main(int n, char **words)
{
	pthread_t thread;
	char byte = 1;

	if (n > 1)
		length = (useconds_t)atoi(words[1]);
	if (pipe(jobs) || pipe(answers))
		return 1;
	pthread_create(&thread, NULL, worker, NULL);
	for (int i = 0; i < 60; i++) {
		struct pollfd p = {.fd = answers[0], .events = POLLIN};

		if (write(jobs[1], &byte, 1) != 1 || poll(&p, 1, -1) != 1 ||
		    read(answers[0], &byte, 1) != 1)
			return 1;
	}
	close(jobs[1]);
	return pthread_join(thread, NULL);
}
