/*
 * Keeps the handlers of fork() itself, as Firefox does, and calls them around clone(): in the child
 * threads take a lock, and so do they in the parent. own_handlers N: N children, one after the other.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { HANDLERS = 64, THREADS = 2, ROUNDS = 500, STACK = 256 * 1024 };

static struct {
	void (*before)(void), (*parent)(void), (*child)(void);
} handlers[HANDLERS];
static int handlers_n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

/* What pthread_atfork() of every library calls. */
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void),
		      void *library);
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void),
		      void *library)
{
	(void)library;
	if (handlers_n == HANDLERS)
		return -1;
	handlers[handlers_n].before = before;
	handlers[handlers_n].parent = parent;
	handlers[handlers_n++].child = child;
	return 0;
}

static void *work(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		sum++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void threads_run(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static int child_run(void *unused)
{
	(void)unused;
	for (int i = 0; i < handlers_n; i++)
		if (handlers[i].child)
			handlers[i].child();
	threads_run();
	exit(5);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1, ended = 0;
	char *stack = malloc(STACK);

	for (int k = 0; k < n; k++) {
		int status, pid;

		for (int i = handlers_n; i-- > 0;)
			if (handlers[i].before)
				handlers[i].before();
		pid = clone(child_run, stack + STACK - 16, SIGCHLD, NULL);
		for (int i = 0; i < handlers_n; i++)
			if (handlers[i].parent)
				handlers[i].parent();
		threads_run();
		ended += waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
			 WEXITSTATUS(status) == 5;
	}
	printf("%ld %d\n", sum, ended);
	return 3;
}
