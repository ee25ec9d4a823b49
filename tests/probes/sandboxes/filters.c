/*
 * Filters its system calls in the way of the first argument, between 100 locks and more. The filter
 * ends the program for all calls but those that it makes itself.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ALLOW(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), \
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter code[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    ALLOW(SYS_write),
    ALLOW(SYS_exit),
    ALLOW(SYS_exit_group),
    ALLOW(SYS_futex),
    ALLOW(SYS_brk),
    ALLOW(SYS_mmap),
    ALLOW(SYS_munmap),
    ALLOW(SYS_mprotect),
    ALLOW(SYS_madvise),
    ALLOW(SYS_rt_sigprocmask),
    ALLOW(SYS_clone),
    ALLOW(SYS_clone3),
    ALLOW(SYS_set_robust_list),
    ALLOW(SYS_rseq),
    ALLOW(SYS_wait4),
    ALLOW(SYS_clock_gettime),
    ALLOW(SYS_rt_sigaction),
    ALLOW(SYS_sched_yield),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};
static struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
static struct sock_fprog program = {sizeof code / sizeof *code, code};
static struct sock_fprog everything = {1, all}, nothing = {0, all};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *volatile kept;

static void locks(void)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&mutex);
		kept = malloc(100);
		free(kept);
		pthread_mutex_unlock(&mutex);
	}
}

static void *thread(void *argument)
{
	locks();
	return argument;
}

/* A thread that is there before the filter, and gets it, too. */
static atomic_int filtered;

static void *early(void *argument)
{
	while (!filtered)
		sched_yield();
	return thread(argument);
}

/* As long as some samples take. */
static void compute(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 20;

	while (clock() < end)
		;
}

/* All that needs no other system call. */
static int go_on(void)
{
	pthread_t t;
	pid_t child;

	locks();
	compute();
	if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
		return 1;
	child = fork();
	if (!child)
		_exit(0);
	return waitpid(child, NULL, 0) == child ? 5 : 1;
}

static int strict(void)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 2;
	locks();
	if (write(STDOUT_FILENO, "strict\n", 7) != 7)
		return 3;
	return (int)syscall(SYS_exit, 5);
}

/* Returns whether a wrong call is refused with the error of the kernel. */
static int refused(long result, int error)
{
	return result == -1 && errno == error;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	pthread_t other;
	long result = -1;

	locks();
	if (!strcmp(way, "strict"))
		return strict();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (!strcmp(way, "refused")) {
		if (!refused(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &nothing), EINVAL) ||
		    !refused(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL), EFAULT) ||
		    !refused(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, 16), EFAULT) ||
		    !refused(syscall(SYS_seccomp, 99, 0, NULL), EINVAL))
			return 3;
		locks();
		return 5;
	}
	if (pthread_create(&other, NULL, early, NULL))
		return 1;
	if (!strcmp(way, "prctl"))
		result = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	else if (!strcmp(way, "seccomp"))
		result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
				 &program);
	else if (!strcmp(way, "exec"))
		result = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &everything);
	if (result)
		return 2;
	if (argc > 2)
		execv(argv[2], argv + 2);
	filtered = 1;
	if (!strcmp(way, "seccomp") && pthread_join(other, NULL))
		return 1;
	return go_on();
}
