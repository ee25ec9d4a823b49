/* A worker answers main's requests with a signal. Argument: what a request needs, us. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { REQUESTS = 45 };

static sem_t requests;
static pthread_t asker;
static useconds_t length = 8000;

__attribute__((noinline)) static int serve(void)
{
	return usleep(length);
}

static void *work(void *failed)
{
	for (int i = 0; i < REQUESTS; i++) {
		sem_wait(&requests);
		if (serve() || pthread_kill(asker, SIGUSR1))
			return failed;
	}
	return NULL;
}

int main(int n, char **words)
{
	pthread_t thread;
	sigset_t answers;
	int sig;

	if (n > 1)
		length = (useconds_t)atoi(words[1]);
	asker = pthread_self();
	sigemptyset(&answers);
	sigaddset(&answers, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &answers, NULL);
	sem_init(&requests, 0, 0);
	if (pthread_create(&thread, NULL, work, &requests))
		return 1;
	for (int i = 0; i < REQUESTS; i++) {
		sem_post(&requests);
		if (sigwait(&answers, &sig))
			return 1;
	}
	return pthread_join(thread, NULL);
}
