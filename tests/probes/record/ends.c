/* Ends by _exit() and its like, with a lock taken before: ends WAY. The exit status is another one for each. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void log_some(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static void leave(int signal)
{
	_exit(signal);
}

/* Ends in a handler, which comes at any place of a loop that logs. */
static void interrupted(void)
{
	signal(SIGALRM, leave);
	ualarm(20000, 0);
	for (;;) {
		log_some();
		free(malloc(100));
	}
}

static void *goes_on(void *unused)
{
	for (;;)
		log_some();
	return unused;
}

static int status_of(pid_t child)
{
	int status = 0;

	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t thread;
	pid_t child = -1;

	log_some();
	if (!strcmp(how, "_exit"))
		_exit(3);
	if (!strcmp(how, "_Exit"))
		_Exit(4);
	if (!strcmp(how, "quick_exit"))
		quick_exit(5);
	if (!strcmp(how, "handler"))
		interrupted();
	if (!strcmp(how, "thread")) {
		pthread_create(&thread, NULL, goes_on, NULL);
		usleep(10000);
		_exit(6);
	}
	if (!strcmp(how, "fork") && (child = fork()) == 0) {
		log_some();
		_exit(7);
	}
	if (!strcmp(how, "vfork") && (child = vfork()) == 0)
		_exit(8);
	log_some();
	return status_of(child);
}
