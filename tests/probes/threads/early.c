/*
 * early: a library without dependencies of ours, whose constructor and destructor lock, wait for a
 * condition, create a thread and fork, whatever is loaded already or still is.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *locks(void *argument)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return argument;
}

static void all(const char *when)
{
	static const struct timespec past;
	int status = -1, waited;
	pthread_t t;
	pid_t pid;

	locks(NULL);
	pthread_mutex_lock(&mutex);
	waited = pthread_cond_timedwait(&condition, &mutex, &past);
	pthread_mutex_unlock(&mutex);
	pthread_create(&t, NULL, locks, NULL);
	pthread_join(t, NULL);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		locks(NULL);
		_exit(6);
	}
	waitpid(pid, &status, 0);
	printf("%s: %d %d\n", when, waited, WEXITSTATUS(status));
}

__attribute__((constructor(101))) static void first(void)
{
	all("constructor");
}

__attribute__((destructor(101))) static void last(void)
{
	all("destructor");
	fflush(stdout);
}
