/*
 * What samples by timers must leave as it is. The argument says what the program does; it prints the same with and
 * without samples, and computes on the way, so that samples are taken.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static volatile sig_atomic_t counted;
static int wrong;

#define CHECK(what) \
	do { \
		if (!(what)) { \
			printf("line %d: %s: counted %d errno %s\n", __LINE__, #what, \
			       (int)counted, strerror(errno)); \
			wrong = 1; \
		} \
	} while (0)

/* Computes for so many ms of processor time; errno stays. */
__attribute__((noinline)) static void compute(long ms)
{
	struct timespec from, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do {
		errno = 1234;
		for (int i = 0; i < 100000; i++)
			sink = (sink * 1664525 + 1013904223) ^ sink >> 13;
		CHECK(errno == 1234);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < ms);
}

static void count(int number)
{
	(void)number;
	counted++;
}

/* A timer of the program's process says SI_KERNEL, one of timer_create() SI_TIMER. */
static void count_kernels(int number, siginfo_t *info, void *context)
{
	(void)context;
	count(number);
	if (info->si_code != SI_KERNEL)
		wrong = 1;
}

static void *compute_there(void *ms)
{
	compute((long)ms);
	return NULL;
}

/* ---- SIGPROF is the program's ---- */

/* A profiler of its own: no sample of ours reaches its handler. */
static void profiler(void)
{
	struct itimerval every = {{0, 20000}, {0, 20000}}, none = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_sigaction = count_kernels,
				   .sa_flags = SA_RESTART | SA_SIGINFO};
	struct sigaction old;
	pthread_t thread;

	pthread_create(&thread, NULL, compute_there, (void *)600L);
	compute(100); /* samples come by SIGPROF until now */
	CHECK(sigaction(SIGPROF, NULL, &old) == 0 && old.sa_handler == SIG_DFL && !old.sa_flags);
	CHECK(sigaction(SIGPROF, &action, &old) == 0 && old.sa_handler == SIG_DFL);
	compute(100);
	CHECK(counted == 0);
	CHECK(setitimer(ITIMER_PROF, &every, NULL) == 0);
	compute(400);
	CHECK(setitimer(ITIMER_PROF, &none, NULL) == 0);
	pthread_join(thread, NULL);
	/* the kernel looks at its ticks only, of which a busy machine has fewer for us */
	CHECK(counted >= 3 && counted <= 60);
	CHECK(signal(SIGPROF, SIG_DFL) == (void (*)(int))(void *)count_kernels);
	compute(100);
}

/* Without a handler, the program's own timer ends it. */
static void killed(void)
{
	struct itimerval soon = {{0, 0}, {0, 50000}};

	compute(500);
	setitimer(ITIMER_PROF, &soon, NULL);
	compute(1000);
}

/* So does somebody else's signal. */
static void killed_by_other(void)
{
	compute(500);
	kill(getpid(), SIGPROF);
	compute(1000);
}

/* The real-time signals, up to the last one that is ours in turn. */
static void all_signals(void)
{
	for (int number = 1; number <= SIGRTMAX; number++)
		if (number != SIGKILL && number != SIGSTOP && (number < 32 || number >= SIGRTMIN))
			CHECK(signal(number, count) == SIG_DFL);
	compute(100);
	CHECK(counted == 0);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		raise(number);
	raise(SIGPROF);
	CHECK(counted == SIGRTMAX - SIGRTMIN + 2);
}

/* ---- masks ---- */

static void masks(void)
{
	struct timespec no_time = {0, 0};
	sigset_t all, old;
	siginfo_t info;
	int fd;

	sigfillset(&all);
	CHECK(sigprocmask(SIG_BLOCK, NULL, &old) == 0);
	for (int number = 1; number <= SIGRTMAX; number++)
		CHECK(sigismember(&old, number) != 1);
	CHECK(pthread_sigmask(SIG_BLOCK, &all, &old) == 0 && !sigismember(&old, SIGPROF));
	CHECK(sigprocmask(SIG_BLOCK, NULL, &old) == 0);
	for (int number = 1; number <= SIGRTMAX; number++)
		CHECK(number == SIGKILL || number == SIGSTOP ||
		      (number >= 32 && number < SIGRTMIN) || sigismember(&old, number) == 1);
	compute(300);
	CHECK(sigpending(&old) == 0);
	for (int number = 1; number <= SIGRTMAX; number++)
		CHECK(sigismember(&old, number) != 1);
	CHECK(sigtimedwait(&all, &info, &no_time) == -1 && errno == EAGAIN);
	fd = signalfd(-1, &all, SFD_NONBLOCK);
	compute(100);
	CHECK(read(fd, &info, sizeof info) == -1 && errno == EAGAIN);
	kill(getpid(), SIGPROF);
	CHECK(sigwaitinfo(&all, &info) == SIGPROF && info.si_code == SI_USER);
	CHECK(pthread_sigmask(SIG_SETMASK, &old, &all) == 0 && sigismember(&all, SIGRTMIN) == 1);
	CHECK(pthread_sigmask(SIG_SETMASK, NULL, &all) == 0 && sigismember(&all, SIGRTMIN) == 0);
}

static void *raise_there(void *all)
{
	siginfo_t info;

	compute(100);
	raise(SIGRTMIN);
	CHECK(sigwaitinfo(all, &info) == SIGRTMIN && info.si_pid == getpid());
	compute(20);
	return NULL;
}

/* In another process, while this one waits; returns its number. */
static pid_t send_soon(int value)
{
	struct timespec soon = {0, 50000000};
	pid_t sender, parent = getpid();

	fflush(stdout);
	sender = fork();
	if (sender == 0) {
		nanosleep(&soon, NULL);
		_exit(sigqueue(parent, SIGRTMIN, (union sigval){.sival_int = value}) != 0);
	}
	return sender;
}

/* Signals of others that are blocked: ours, of the threads that have it blocked since we use it. */
static void foreign(void)
{
	struct signalfd_siginfo got;
	struct timespec no_time = {0, 0};
	pthread_t threads[3];
	sigset_t all, is;
	siginfo_t info;
	pid_t sender;
	int status, fd;

	sigfillset(&all);
	compute(50);
	CHECK(pthread_sigmask(SIG_BLOCK, &all, NULL) == 0);
	compute(100);
	for (int i = 1; i <= 3; i++)
		CHECK(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i}) == 0);
	compute(50);
	CHECK(sigpending(&is) == 0 && sigismember(&is, SIGRTMIN) == 1);
	for (int i = 1; i <= 3; i++)
		CHECK(sigtimedwait(&all, &info, &no_time) == SIGRTMIN && info.si_pid == getpid() &&
		      info.si_code == SI_QUEUE && info.si_value.sival_int == i);
	CHECK(sigtimedwait(&all, &info, &no_time) == -1 && errno == EAGAIN);

	/* any thread may get the first one that is for the process */
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, compute_there, (void *)300L);
	sender = send_soon(4);
	fd = signalfd(-1, &all, SFD_NONBLOCK);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	CHECK(waitpid(sender, &status, 0) == sender && status == 0);
	CHECK(read(fd, &got, sizeof got) == sizeof got);
	CHECK((int)got.ssi_signo == SIGCHLD);
	CHECK(read(fd, &got, sizeof got) == sizeof got);
	CHECK((int)got.ssi_signo == SIGRTMIN && got.ssi_int == 4 && (pid_t)got.ssi_pid == sender);
	CHECK(read(fd, &got, sizeof got) == -1 && errno == EAGAIN);

	pthread_create(&threads[0], NULL, raise_there, &all);
	pthread_join(threads[0], NULL);
}

/* A signalfd of a thread that computes no longer than it waits. */
static void polls(void)
{
	struct pollfd readable = {.events = POLLIN};
	struct signalfd_siginfo got;
	sigset_t all;

	sigfillset(&all);
	CHECK(pthread_sigmask(SIG_BLOCK, &all, NULL) == 0);
	compute(100);
	readable.fd = signalfd(-1, &all, SFD_NONBLOCK);
	for (int i = 0; i < 3; i++) {
		send_soon(i);
		do
			CHECK(poll(&readable, 1, 10000) == 1 &&
			      read(readable.fd, &got, sizeof got) == sizeof got);
		while (!wrong && got.ssi_signo == SIGCHLD);
		CHECK((int)got.ssi_signo == SIGRTMIN && got.ssi_int == i);
	}
}

/* Without a mask, the signal ends the program. */
static void ended_by_other(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	compute(50);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	compute(50);
	kill(getpid(), SIGRTMIN);
	compute(1000);
}

/* Unblocked later, a pending one ends it. */
static void ended_later(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	compute(50);
	kill(getpid(), SIGRTMIN);
	compute(50);
	sigemptyset(&all);
	sigaddset(&all, SIGRTMIN);
	puts("pending");
	fflush(stdout);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	puts("not reached");
}

/* ---- waits in between ---- */

static void waits(void)
{
	struct timespec little = {0, 100000};
	int ends[2];
	char byte;

	CHECK(pipe(ends) == 0);
	for (int i = 0; i < 2000; i++) {
		struct pollfd fd = {.fd = ends[0], .events = POLLIN};

		for (int k = 0; k < 10000; k++)
			sink = sink * 1664525 + 1013904223;
		CHECK(nanosleep(&little, NULL) == 0);
		CHECK(poll(&fd, 1, 0) == 0);
		CHECK(write(ends[1], "x", 1) == 1);
		CHECK(read(ends[0], &byte, 1) == 1);
		if (i % 50 == 0)
			CHECK(poll(&fd, 1, 1) == 0);
	}
}

static void *writer(void *end)
{
	struct timespec little = {0, 50000};

	for (int i = 0; i < 2000; i++) {
		for (int k = 0; k < 100000; k++)
			sink = sink * 1664525 + 1013904223;
		nanosleep(&little, NULL);
		CHECK(write(*(int *)end, "x", 1) == 1);
	}
	return NULL;
}

/* A reader that blocks. */
static void reads(void)
{
	pthread_t thread;
	int ends[2];
	char byte;

	CHECK(pipe(ends) == 0);
	pthread_create(&thread, NULL, writer, &ends[1]);
	for (int i = 0; i < 2000; i++) {
		struct pollfd fd = {.fd = ends[0], .events = POLLIN};

		CHECK(poll(&fd, 1, -1) == 1);
		CHECK(read(ends[0], &byte, 1) == 1);
	}
	pthread_join(thread, NULL);
}

/* ---- our own code ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

__attribute__((noinline)) static void lock_often(int n)
{
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(&mutex);
		sink++;
		pthread_mutex_unlock(&mutex);
	}
}

__attribute__((noinline)) static void compute_plainly(int n)
{
	for (int i = 0; i < 20 * n; i++)
		sink = (sink * 1664525 + 1013904223) ^ sink >> 13;
}

/* Two functions of which one spends its time in the events of a lock; prints what each took. */
static void locks(void)
{
	long times[3], locking = 0, computing = 0;
	unsigned random = 1;

	for (int i = 0; i < 2000; i++) {
		int unit = 1000 + (int)((random = random * 1664525 + 1013904223) >> 16) % 4000;

		times[0] = now();
		lock_often(unit);
		times[1] = now();
		compute_plainly(unit);
		times[2] = now();
		locking += times[1] - times[0];
		computing += times[2] - times[1];
	}
	printf("lock_often %ld\ncompute_plainly %ld\n", locking, computing);
}

/* ---- processes ---- */

static void forks(void)
{
	int status;
	pid_t child;

	compute(100);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		pthread_t thread;

		pthread_create(&thread, NULL, compute_there, (void *)200L);
		compute(200);
		pthread_join(thread, NULL);
		exit(wrong ? 9 : 7);
	}
	compute(100);
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void executes(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	compute(100);
	execlp("./sample_signals", "sample_signals", "executed", NULL);
}

static void executed(void)
{
	sigset_t mask;

	compute(200);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int number = 1; number <= SIGRTMAX; number++)
		CHECK(sigismember(&mask, number) == (number == SIGUSR1));
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
    {"profiler", profiler},
    {"killed", killed},
    {"killed-by-other", killed_by_other},
    {"all-signals", all_signals},
    {"masks", masks},
    {"foreign", foreign},
    {"polls", polls},
    {"ended-by-other", ended_by_other},
    {"ended-later", ended_later},
    {"waits", waits},
    {"reads", reads},
    {"locks", locks},
    {"forks", forks},
    {"executes", executes},
    {"executed", executed},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
		if (strcmp(argv[1], cases[i].name) == 0) {
			cases[i].run();
			printf("%s: %s\n", cases[i].name, wrong ? "wrong" : "right");
			return wrong ? 3 : 5;
		}
	return 2;
}
