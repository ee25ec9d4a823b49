/*
 * Ends in the midst of functions. ends HOW: exit (deep within), thread (pthread_exit() deep within),
 * fork (a child that goes on in open functions), signals (a timer's handler between all others),
 * coroutines (swapcontext(), two stacks), deep (recursion),
 * often (half a million calls), threads (four of them).
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define OWN __attribute__((noinline))

volatile int sink, ticks;

OWN void leaf(void)
{
	sink++;
}

OWN void deep(int n, void (*last)(void))
{
	if (n == 0)
		last();
	else
		deep(n - 1, last);
	sink++;
}

OWN void leave(void)
{
	puts("exits");
	exit(3);
}

OWN void leave_thread(void)
{
	pthread_exit(NULL);
}

OWN void *thread_deep(void *unused)
{
	deep(5, leave_thread);
	return unused;
}

OWN void fork_here(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		leaf();
		return;
	}
	waitpid(pid, &status, 0);
	printf("the child: %d\n", WEXITSTATUS(status));
}

OWN void tick(int number)
{
	(void)number;
	leaf();
	ticks++;
}

OWN void with_signals(void)
{
	struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};

	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &often, NULL);
	while (ticks < 200)
		leaf();
	setitimer(ITIMER_REAL, &never, NULL);
}

static ucontext_t main_context, other_context;

OWN void other_step(void)
{
	leaf();
	swapcontext(&other_context, &main_context);
	leaf();
}

OWN void other(void)
{
	for (int i = 0; i < 10; i++)
		other_step();
}

OWN void main_step(void)
{
	swapcontext(&main_context, &other_context);
	leaf();
}

OWN void with_coroutines(void)
{
	static char stack[65536];

	getcontext(&other_context);
	other_context.uc_stack.ss_sp = stack;
	other_context.uc_stack.ss_size = sizeof stack;
	other_context.uc_link = &main_context;
	makecontext(&other_context, other, 0);
	for (int i = 0; i < 11; i++)
		main_step();
}

OWN void often(void)
{
	for (int i = 0; i < 500000; i++)
		leaf();
}

OWN void *thread_leaves(void *unused)
{
	for (int i = 0; i < 1000; i++)
		leaf();
	return unused;
}

OWN void with_threads(int n, void *(*what)(void *))
{
	pthread_t threads[8];

	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, what, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "exit"))
		deep(5, leave);
	else if (!strcmp(how, "thread"))
		with_threads(1, thread_deep);
	else if (!strcmp(how, "fork"))
		deep(5, fork_here);
	else if (!strcmp(how, "signals"))
		with_signals();
	else if (!strcmp(how, "coroutines"))
		with_coroutines();
	else if (!strcmp(how, "deep"))
		deep(70000, leaf);
	else if (!strcmp(how, "often"))
		often();
	else if (!strcmp(how, "threads"))
		with_threads(4, thread_leaves);
	return 0;
}
