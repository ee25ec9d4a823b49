/*
 * Events in signal handlers, those that interrupt an event of the same thread among them.
 * GLIMPSE_SIGNALS sets how many, at 10,000 a second (3000; 100000 take 10 s).
 */
#include "scene.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define APART 100000    /* ns between signals */
#define OUTER SIGRTMIN  /* these are queued: none is lost while another one waits */
#define INNER (SIGRTMIN + 1)

/* Counts kept by the program, in memory that the test sees. */
struct counts {
	int32_t main, handler, inner;
};

static volatile struct counts *logged;

static void handler(int signal)
{
	(void)signal;
	Tick_Stamp(1, logged->handler);
	logged->handler++;
	Say_Stamp(9, "from a handler");
}

/* Comes while the other handler runs, too. */
static void inner_handler(int signal)
{
	(void)signal;
	Tick_Stamp(2, logged->inner);
	logged->inner++;
}

static int signals = 3000;
static bool stop;

static void *sends(void *argument)
{
	pthread_t target = *(pthread_t *)argument;
	struct timespec next;

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (int i = 0; i < signals; i++) {
		pthread_kill(target, i % 4 ? OUTER : INNER);
		next.tv_nsec += APART;
		next.tv_sec += next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	return NULL;
}

static void handlers_install(void)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

	sigaction(OUTER, &action, NULL);
	action.sa_handler = inner_handler;
	sigaction(INNER, &action, NULL);
}

/* Logs a tenth of its time, so that the log stays small enough to be read at once. */
static int nested(void *argument)
{
	pthread_t self = pthread_self(), sender;

	(void)argument;
	handlers_install();
	pthread_create(&sender, NULL, sends, &self);
	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
		Tick_Stamp(0, logged->main);
		logged->main++;
		for (volatile int i = 0; i < 200; i++)
			;
	}
	pthread_join(sender, NULL);
	return 0;
}

static bool whole(const struct reader_run *run)
{
	bool a, b, c;
	size_t main = ticks_of(run, 0, &a);
	size_t handled = ticks_of(run, 1, &b), inner = ticks_of(run, 2, &c);

	printf("# main %zu of %d, handler %zu of %d, inner %zu of %d; %u logs of levels\n", main,
	       logged->main, handled, logged->handler, inner, logged->inner, run->inner);
	/* the handlers' events stand in several logs, so only the main ones are in order */
	return main == (size_t)logged->main && a && handled == (size_t)logged->handler &&
	       inner == (size_t)logged->inner && !run->faults && !run->lost && !run->dropped;
}

static void test_nested(void)
{
	int status = scene_run(nested, NULL);
	const struct reader_run *run = scene_read(NULL);

	ok(status == 0 && whole(run), "handlers that interrupt events, and handlers");
#ifdef __SANITIZE_THREAD__
	skip("each signal was handled", "ThreadSanitizer merges those of one number");
#else
	ok(logged->handler + logged->inner == signals, "each of %d signals was handled", signals);
#endif
	ok(run->inner >= 1 && run->logs == 1, "some of them had interrupted an event");
}

static int nested_killed(void *argument)
{
	(void)argument;
	handlers_install();
	for (;;) {
		raise(OUTER);
		Tick_Stamp(0, logged->main);
		logged->main++;
	}
	return 0;
}

static void first_handler(int signal)
{
	(void)signal;
	Tick_Stamp(3, 0);
}

/* What AddressSanitizer lays around variables takes as much stack as they do. */
#ifdef __SANITIZE_ADDRESS__
#define SMALL_STACK 16384
#else
#define SMALL_STACK 8192
#endif

/* The thread's first event, and the program's, comes from a handler with a small stack. */
static int first_in_handler(void *argument)
{
	static char stack[SMALL_STACK];
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction action = { .sa_handler = first_handler, .sa_flags = SA_ONSTACK };

	(void)argument;
	sigaltstack(&alternate, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	return 0;
}

static void test_others(void)
{
	const struct timespec pause = { 0, 100000000 };
	const struct reader_run *run;
	bool a, b;
	pid_t pid;

	memset((void *)logged, 0, sizeof *logged);
	pid = scene_start(nested_killed, NULL);
	nanosleep(&pause, NULL);
	kill(pid, SIGKILL);
	scene_wait(pid);
	run = scene_read(NULL);
	ok((int32_t)ticks_of(run, 0, &a) >= logged->main && a &&
		   (int32_t)ticks_of(run, 1, &b) >= logged->handler && b && !run->faults,
	   "killed while handlers log");
	ok(scene_run(first_in_handler, NULL) == 0 && scene_read(NULL)->count == 1,
	   "the first event of a program may come from a handler with a stack of 8 KiB");
}

int main(void)
{
	const char *number = getenv("GLIMPSE_SIGNALS");

	if (number)
		signals = atoi(number);
	plan(5);
	logged = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	test_nested();
	test_others();
	return done();
}
