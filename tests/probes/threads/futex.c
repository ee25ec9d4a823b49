/*
 * futex: calls futex() and other system calls by syscall(), in the way that the argument says, and
 * prints what they return. No line depends on time.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

enum { ROUNDS = 200, WORDS = 10000 };

static int word, other;

static void say(const char *what, long result)
{
	printf("%s: %ld %s\n", what, result, result < 0 ? strerrorname_np(errno) : "");
}

#define SAY(call) (errno = 0, say(#call, call))
#define FUTEX(...) syscall(SYS_futex, __VA_ARGS__)

static struct timespec in(clockid_t clock, long ms)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += ms * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void wait_for(int *at, int value)
{
	while (__atomic_load_n(at, __ATOMIC_ACQUIRE) == value)
		FUTEX(at, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(int *at)
{
	__atomic_fetch_add(at, 1, __ATOMIC_RELEASE);
	FUTEX(at, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* ---- all by syscall() ---- */

static void everything(void)
{
	char text[8] = "";
	int ends[2], status;
	void *memory;
	long child;

	SAY(syscall(SYS_pipe2, ends, O_CLOEXEC));
	SAY(syscall(SYS_write, ends[1], "word", 5));
	SAY(syscall(SYS_read, ends[0], text, sizeof text));
	puts(text);
	memory = (void *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(memory, 1, 4096);
	SAY(syscall(SYS_munmap, memory, 4096));
	SAY(syscall(SYS_nanosleep, &(struct timespec){0, 1000}, NULL));
	SAY(syscall(SYS_sched_yield));
	SAY(syscall(SYS_close, 12345));
	SAY(syscall(100000));
	fflush(stdout);
	child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child) {
		FUTEX(&word, FUTEX_WAIT, 1, NULL, NULL, 0);
		syscall(SYS_exit_group, 7);
	}
	syscall(SYS_wait4, child, &status, 0, NULL);
	printf("child: %d\n", WEXITSTATUS(status));
}

/* ---- wrong arguments ---- */

static void wrong(void)
{
	struct timespec invalid = {0, -1}, never = {-1, 0}, soon = {0, 1000};
	const struct timespec *nowhere = (const struct timespec *)8;
	int *unaligned = (int *)((char *)&word + 1);

	SAY(FUTEX(&word, FUTEX_WAIT, 1, NULL, NULL, 0));
	SAY(FUTEX(&word, FUTEX_WAIT, 0, &invalid, NULL, 0));
	SAY(FUTEX(&word, FUTEX_WAIT, 0, &never, NULL, 0));
	SAY(FUTEX(&word, FUTEX_WAIT, 0, nowhere, NULL, 0));
	SAY(FUTEX(&word, FUTEX_WAIT_BITSET, 0, nowhere, NULL, 1));
	SAY(FUTEX(&word, FUTEX_WAIT_BITSET, 0, &soon, NULL, 0));
	SAY(FUTEX(&word, FUTEX_LOCK_PI, 0, nowhere, NULL, 0));
	SAY(FUTEX(NULL, FUTEX_WAIT, 0, &soon, NULL, 0));
	SAY(FUTEX(NULL, FUTEX_WAKE, 1, NULL, NULL, 0));
	SAY(FUTEX(unaligned, FUTEX_WAIT, 0, &soon, NULL, 0));
	SAY(FUTEX(unaligned, FUTEX_WAKE, 1, NULL, NULL, 0));
	SAY(FUTEX(&word, 99, 0, NULL, NULL, 0));
	SAY(FUTEX(&word, FUTEX_WAKE, -1, NULL, NULL, 0));
	SAY(FUTEX(&word, FUTEX_REQUEUE, 1, 1, NULL, 0));
	SAY(FUTEX(&word, FUTEX_CMP_REQUEUE, 1, 1, &other, 5));
	SAY(FUTEX(&word, FUTEX_WAKE_OP, 1, 1, NULL, 0));
	SAY(FUTEX(&word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0));
	SAY(syscall(SYS_futex_waitv, NULL, 1, 0, NULL, 0));
	SAY(syscall(SYS_futex_waitv, 8, 1, 0, NULL, 0));
	SAY(syscall(SYS_futex_waitv, 8, 1000, 0, NULL, 0));
}

/* ---- time limits ---- */

static void timeouts(void)
{
	struct timespec length = {0, 1000000}, past = {1, 0}, soon;

	SAY(FUTEX(&word, FUTEX_WAIT, 0, &length, NULL, 0));
	soon = in(CLOCK_MONOTONIC, 20);
	SAY(FUTEX(&word, FUTEX_WAIT_BITSET, 0, &soon, NULL, 1));
	soon = in(CLOCK_REALTIME, 20);
	SAY(FUTEX(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, &soon, NULL, 1));
	SAY(FUTEX(&word, FUTEX_WAIT_BITSET, 0, &past, NULL, 1));
}

/* ---- signal handlers ---- */

static void handle(int number)
{
	int error = errno;

	(void)number;
	FUTEX(&other, FUTEX_WAIT, -1, NULL, NULL, 0);
	wake(&other);
	errno = error;
}

static void *signals_thread(void *main_thread)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
		wait_for(&other, i);
	}
	wake(&word);
	return NULL;
}

static void signals(void)
{
	pthread_t self = pthread_self(), thread;

	sigaction(SIGUSR1, &(struct sigaction){.sa_handler = handle}, NULL);
	pthread_create(&thread, NULL, signals_thread, &self);
	wait_for(&word, 0);
	pthread_join(thread, NULL);
	printf("handled: %d\n", other);
}

/* ---- processes ---- */

static void processes(void)
{
	int *shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status, child = fork();

	for (int i = 0; i < ROUNDS; i++) {
		int *mine = &shared[child ? 0 : 1], *others = &shared[child ? 1 : 0];

		usleep(100);
		__atomic_fetch_add(others, 1, __ATOMIC_RELEASE);
		FUTEX(others, FUTEX_WAKE, 1, NULL, NULL, 0);
		while (__atomic_load_n(mine, __ATOMIC_ACQUIRE) == i)
			FUTEX(mine, FUTEX_WAIT, i, NULL, NULL, 0);
	}
	if (!child)
		exit(0);
	waitpid(child, &status, 0);
	printf("ended: %d\n", WEXITSTATUS(status));
}

/* ---- a filter that allows next to nothing ---- */

static void sandbox(void)
{
	struct sock_filter filter[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 2, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	puts("filter");
	fflush(stdout);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
	for (int i = 0; i < ROUNDS; i++) {
		FUTEX(&word, FUTEX_WAIT, 1, NULL, NULL, 0);
		FUTEX(&word, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
	SAY(FUTEX(&word, FUTEX_WAIT, 1, NULL, NULL, 0));
	fflush(stdout);
	syscall(SYS_exit_group, 0);
}

/* ---- many words ---- */

static int words[WORDS];

static void *words_thread(void *argument)
{
	for (int i = 0; i < WORDS; i++) {
		wait_for(&other, i);
		wake(&words[i]);
	}
	return argument;
}

static void many(void)
{
	pthread_t thread;
	long sum = 0;

	pthread_create(&thread, NULL, words_thread, NULL);
	for (int i = 0; i < WORDS; i++) {
		wake(&other);
		wait_for(&words[i], 0);
		sum += words[i];
	}
	pthread_join(thread, NULL);
	printf("sum: %ld\n", sum);
}

/* ---- threads that are moved to another word, and woken there ---- */

static void *moved_thread(void *argument)
{
	FUTEX(&word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	return argument;
}

static void moved(void)
{
	pthread_t threads[3];
	long n = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, moved_thread, NULL);
	usleep(50000);
	printf("moved: %ld\n", FUTEX(&word, FUTEX_CMP_REQUEUE_PRIVATE, 1, 2, &other, 0));
	while (n < 2)
		n += FUTEX(&other, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("woken: %ld\n", n);
}

int main(int n, char **arguments)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} ways[] = {
	    {"everything", everything},
	    {"wrong", wrong},
	    {"timeouts", timeouts},
	    {"signals", signals},
	    {"processes", processes},
	    {"sandbox", sandbox},
	    {"many", many},
	    {"moved", moved},
	};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (n > 1 && !strcmp(arguments[1], ways[i].name)) {
			ways[i].run();
			return 0;
		}
	return 2;
}
