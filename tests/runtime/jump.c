/*
 * Handlers that leave by siglongjmp(), in the middle of an event as anywhere else: the thread goes
 * on to log, and can be cancelled.
 */
#include "scene.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#define JUMPS 200
#define APART 300       /* microseconds */
#define AFTER 20000     /* events after the last jump */

static __thread sigjmp_buf back;
static atomic_int jumps;
static volatile int32_t *returned;      /* events of main that returned, for the test to see */

static void handler(int signal)
{
	(void)signal;
	if (jumps == JUMPS)
		return;
	Tick_Stamp(1, ++jumps);
	siglongjmp(back, 1);
}

/* Fires once: siglongjmp() unblocks signals before it leaves, and handlers would pile up. */
static void timer(long microseconds)
{
	struct itimerval t = { { 0, 0 }, { 0, microseconds } };

	setitimer(ITIMER_REAL, &t, NULL);
}

static void handler_install(int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigaction(SIGALRM, &action, NULL);
}

static char text[4000];

/*
 * Logs until all jumps were made: short events, or long ones that fill a tail each few. After each
 * jump the timer is started for the next one.
 */
static void logs_until_jumped(bool longer)
{
	sigsetjmp(back, 1);
	timer(APART);
	while (jumps < JUMPS) {
		if (longer) {
			Say_Stamp(4, text);
		} else {
			Tick_Stamp(0, 0);
			*returned = *returned + 1;
		}
	}
}

static void logs_after(void)
{
	for (int32_t i = 0; i < AFTER; i++)
		Tick_Stamp(2, i);
}

static void text_fill(void)
{
	for (size_t i = 0; i + 1 < sizeof text; i++)
		text[i] = 'x';
}

/* argument: whether the handler has a stack of its own */
static int jumping(void *argument)
{
	static char memory[1 << 16];
	stack_t alternate = { .ss_sp = memory, .ss_size = sizeof memory };

	if (argument)
		sigaltstack(&alternate, NULL);
	handler_install(argument ? SA_ONSTACK : 0);
	logs_until_jumped(false);
	timer(0);
	logs_after();
	return 0;
}

static void test_logging(void *argument, const char *name)
{
	int status = scene_run(jumping, argument);
	const struct reader_run *run = scene_read(NULL);
	bool ordered;
	size_t after = ticks_of(run, 2, &ordered);
	size_t n = 0, handled = 0;

	for (size_t i = 0; i < run->count; i++) {
		n += run->events[i].values[0] == 0;
		handled += run->events[i].values[0] == 1;
	}
	printf("# %zu of %d events returned, %zu of %d jumps logged, %zu of %d after; %u levels, "
	       "%llu dropped\n", n, *returned, handled, JUMPS, after, AFTER, run->inner,
	       (unsigned long long)run->dropped);
	ok(status == 0 && after == AFTER && ordered && handled == JUMPS &&
		   n >= (size_t)*returned && !run->faults && !run->lost && !run->dropped,
	   "%d jumps out of handlers%s: all events that returned are there", JUMPS, name);
	*returned = 0;
}

static void *jumps_until_cancelled(void *argument)
{
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
	logs_until_jumped(true);
	timer(0);
	logs_after();
	for (;;)
		pause();
	return argument;
}

static int cancelled(void *argument)
{
	const struct timespec moment = { 0, 10000000 };
	sigset_t alarm;
	pthread_t thread;

	(void)argument;
	text_fill();
	handler_install(0);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	pthread_create(&thread, NULL, jumps_until_cancelled, NULL);
	while (jumps < JUMPS)
		nanosleep(&moment, NULL);
	pthread_cancel(thread);
	for (int i = 0; i < 500; i++) {
		if (pthread_tryjoin_np(thread, NULL) == 0)
			return 0;
		nanosleep(&moment, NULL);
	}
	_exit(1);
}

int main(void)
{
	bool ordered;
	int status;

	plan(4);
	returned = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	test_logging(NULL, "");
	test_logging((void *)1, " with a stack of their own");
	status = scene_run(cancelled, NULL);
	ok(status == 0, "a thread that jumped out of handlers can be cancelled");
	ok(ticks_of(scene_read(NULL), 2, &ordered) == AFTER && ordered, "and logged to its end");
	return done();
}
