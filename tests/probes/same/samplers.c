/*
 * Programs that use what a recorder could take from them; each says whether it got what it asked for.
 *	samplers perf|sigprof|ptrace
 * perf counts its own processor time by perf_event; sigprof has timers interrupt it; ptrace steps its child by
 * its system calls.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupts;
static volatile unsigned long sink;

static long own_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void compute(long ns)
{
	long end = own_ns() + ns;

	while (own_ns() < end)
		for (int i = 0; i < 20000; i++)
			sink = sink * 1664525 + 1013904223;
}

static int counts_itself(void)
{
	struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE,
				    .size = sizeof a,
				    .config = PERF_COUNT_SW_TASK_CLOCK,
				    .exclude_kernel = 1};
	int fd = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
	long long n = 0;

	if (fd < 0) {
		printf("perf_event_open: %s\n", strerror(errno));
		return 3;
	}
	compute(50000000);
	printf("read %zd bytes, ", read(fd, &n, sizeof n));
	printf("as much as was computed: %d\n", n > 40000000 && n < 80000000);
	return 0;
}

static void interrupt(int signal)
{
	(void)signal;
	interrupts++;
}

static int is_interrupted(void)
{
	struct sigaction action = {.sa_handler = interrupt}, now;
	struct itimerval every = {{0, 10000}, {0, 10000}}, was;

	printf("sigaction %d, setitimer %d\n", sigaction(SIGPROF, &action, NULL),
	       setitimer(ITIMER_PROF, &every, NULL));
	compute(200000000);
	getitimer(ITIMER_PROF, &was);
	sigaction(SIGPROF, NULL, &now);
	printf("interrupted: %d, every %ld us, own handler %d\n",
	       interrupts >= 10 && interrupts <= 30, (long)was.it_interval.tv_usec,
	       now.sa_handler == interrupt);
	return 0;
}

static int traces_its_child(void)
{
	int status, stops = 0;
	pid_t child = fork();

	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		for (int i = 0; i < 5; i++)
			syscall(SYS_getppid);
		_exit(7);
	}
	waitpid(child, &status, 0);
	printf("stopped by %d\n", WIFSTOPPED(status) ? WSTOPSIG(status) : -1);
	while (ptrace(PTRACE_SYSCALL, child, NULL, NULL) == 0 &&
	       waitpid(child, &status, 0) == child && WIFSTOPPED(status))
		stops++;
	printf("%d stops at system calls, at least 11: %d; exit status %d\n",
	       stops >= 11 ? 11 : stops, stops >= 11, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "perf") == 0)
		return counts_itself();
	if (strcmp(what, "sigprof") == 0)
		return is_interrupted();
	if (strcmp(what, "ptrace") == 0)
		return traces_its_child();
	return 2;
}
