/* Uses threads, locks of all kinds, a condition variable, memory and a pipe; how often is known. */
#include <pthread.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, robust;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static mtx_t plain;
static sem_t arrived;
static int go, total;

static void says(void)
{
	puts("once");
}

static void *works(void *argument)
{
	pthread_once(&once, says);
	pthread_mutex_lock(&lock);
	sem_post(&arrived);
	while (!go)
		pthread_cond_wait(&ready, &lock);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < ROUNDS; i++) {
		char *block = malloc((size_t)(i + 1));

		pthread_rwlock_rdlock(&table);
		pthread_rwlock_unlock(&table);
		pthread_rwlock_wrlock(&table);
		total++;
		pthread_rwlock_unlock(&table);
		mtx_lock(&plain);
		mtx_unlock(&plain);
		pthread_mutex_lock(&robust);
		pthread_mutex_unlock(&robust);
		memset(block, 1, (size_t)(i + 1));
		free(block);
	}
	return argument;
}

static void lets_go(void)
{
	for (int i = 0; i < THREADS; i++)
		sem_wait(&arrived);
	pthread_mutex_lock(&lock);
	go = 1;
	pthread_cond_broadcast(&ready);
	pthread_mutex_unlock(&lock);
}

/* Starts a program of this machine, and returns its exit status. */
static int started(void)
{
	char *arguments[] = {"sh", "-c", "exit 6", NULL};
	pid_t child;
	int status;

	if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) ||
	    waitpid(child, &status, 0) != child)
		return -1;
	return WEXITSTATUS(status);
}

int main(void)
{
	pthread_t threads[THREADS];
	pthread_mutexattr_t attributes;
	char text[64] = "";
	int pipes[2];

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &attributes);
	mtx_init(&plain, mtx_plain);
	sem_init(&arrived, 0, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, works, NULL);
	lets_go();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	if (pipe(pipes) || write(pipes[1], "through a pipe", 14) != 14)
		return 1;
	if (read(pipes[0], text, sizeof text) != 14)
		return 1;
	printf("%s %d %d\n", text, total, started());
	return 0;
}
