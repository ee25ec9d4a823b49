/*
 * bare_forks WAY LOCKS: forks other than by fork(). Parent and child take a lock so often; the child
 * ends with 7 and without exit(). before: the parent takes it as often before, too. large: it has
 * filled a large tail by then.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long locks;

static void work(long times)
{
	for (long i = 0; i < times; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

static int child(void *unused)
{
	(void)unused;
	work(locks);
	_exit(7);
}

static long by_clone(void)
{
	static char stack[1 << 16] __attribute__((aligned(16)));

	return clone(child, stack + sizeof stack, SIGCHLD, NULL);
}

static long by_clone3(void)
{
	uint64_t how[11] = {[4] = SIGCHLD};

	return syscall(SYS_clone3, how, sizeof how);
}

/* What no wrapper sees. */
static long by_instruction(void)
{
#ifdef __x86_64__
	long result;

	__asm__ __volatile__("syscall"
			     : "=a"(result)
			     : "a"(SYS_clone), "D"(SIGCHLD), "S"(0), "d"(0)
			     : "rcx", "r11", "memory");
	return result;
#else
	exit(77);
#endif
}

static long by_call(void)
{
	return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static long by_Fork(void)
{
	return _Fork();
}

static const struct {
	const char *name;
	long (*fork)(void);
} ways[] = {
    {"_Fork", by_Fork},
    {"call", by_call},
    {"clone", by_clone},
    {"clone3", by_clone3},
    {"instruction", by_instruction},
};

int main(int argc, char **argv)
{
	int status = 0;
	long pid = -1;

	locks = argc > 2 ? atol(argv[2]) : 0;
	work(argc > 3 ? atol(argv[3]) : locks);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (argc > 1 && !strcmp(argv[1], ways[i].name))
			pid = ways[i].fork();
	if (pid < 0)
		return 77;
	if (pid == 0)
		child(NULL);
	waitpid((pid_t)pid, &status, 0);
	work(locks);
	printf("child %x\n", status);
	return 3;
}
