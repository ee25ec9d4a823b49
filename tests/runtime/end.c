/*
 * How processes end, and stop: whatever the program does, its result is the same and its events
 * are there.
 */
#include "scene.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EVENTS 7000 /* one tail full and then some */

static void logs(void)
{
	for (int32_t i = 0; i < EVENTS; i++)
		Tick_Stamp(0, i);
}

static int ends_by_signal(void *argument)
{
	logs();
	signal(SIGSEGV, SIG_DFL); /* AddressSanitizer handles it */
	if ((intptr_t)argument == SIGABRT)
		abort();
	raise((int)(intptr_t)argument);
	return 0;
}

static int ends_by_exit(void *argument)
{
	logs();
	if (argument)
		_exit(7);
	quick_exit(7);
}

static bool all_there(void)
{
	const struct reader_run *run = scene_read(NULL);
	bool ordered;

	return ticks_of(run, 0, &ordered) == EVENTS && ordered && !run->faults && !run->lost;
}

static void test_abrupt(void)
{
	static const struct {
		int signal;
		const char *name;
	} ends[] = { { SIGSEGV, "SIGSEGV" }, { SIGABRT, "abort()" }, { SIGTERM, "SIGTERM" } };

	for (unsigned i = 0; i < 3; i++) {
		int status = scene_run(ends_by_signal, (void *)(intptr_t)ends[i].signal);

		ok(WIFSIGNALED(status) && WTERMSIG(status) == ends[i].signal && all_there(), "%s",
		   ends[i].name);
	}
	for (intptr_t i = 0; i < 2; i++) {
		int status = scene_run(ends_by_exit, (void *)i);

		ok(WIFEXITED(status) && WEXITSTATUS(status) == 7 && all_there(),
		   i ? "_exit()" : "quick_exit()");
	}
}

static void at_exit(void)
{
	Tick_Stamp(0, 1);
}

__attribute__((destructor(65535))) static void late_destructor(void)
{
	if (getenv("PROBE_LATE"))
		Tick_Stamp(0, 2);
}

/* The C library writes what streams still hold after all destructors, also the runtime's. */
static ssize_t after_destructors(void *cookie, const char *bytes, size_t size)
{
	(void)cookie, (void)bytes;
	for (int32_t i = 3; i < 5; i++)
		Tick_Stamp(0, i);
	return (ssize_t)size;
}

static int ends_late(void *argument)
{
	cookie_io_functions_t functions = { .write = after_destructors };
	FILE *late = fopencookie(NULL, "w", functions);

	if (!late)
		return 1;
	setvbuf(late, NULL, _IOFBF, 64);
	fputc('x', late);
	if (argument && strcmp(argument, "ring") == 0)
		setenv("GLIMPSE_KEEP", "newest:1M", 1);
	else if (argument)
		setenv("GLIMPSE_LOGS", argument, 1);
	Tick_Stamp(0, 0);
	return 0;
}

static int ends_late_in_child(void *argument)
{
	pid_t child;
	int status;

	ends_late(argument);
	child = fork();
	if (child == 0)
		Tick_Stamp(0, 1);
	else
		waitpid(child, &status, 0);
	return 0;
}

/* Late events belong to their thread: no second thread appears. */
static void test_late(void)
{
	static char *const ways[] = { NULL, "pooled", "ring" };
	const struct reader_run *run;
	bool ordered;

	for (unsigned i = 0; i < 3; i++) {
		scene_run(ends_late, ways[i]);
		run = scene_read(NULL);
		ok(ticks_of(run, 0, &ordered) == 3 && run->logs == 1 && run->inner == 1 &&
		       !run->faults && !run->dropped,
		   "events after the runtime's destructor, logs %s: %u thread, %zu events",
		   ways[i] ? ways[i] : "apart", run->logs, run->count);
	}
	scene_run(ends_late_in_child, NULL);
	run = scene_read(NULL);
	ok(ticks_of(run, 0, &ordered) == 3 && run->logs == 1 && run->inner == 1 && !run->faults,
	   "events after the runtime's destructor in parent and child: %u thread", run->logs);
}

static int ends_in_order(void *argument)
{
	(void)argument;
	setenv("PROBE_LATE", "1", 1);
	atexit(at_exit);
	Tick_Stamp(0, 0);
	return 0;
}

static volatile int32_t *live;
static bool lives;

static void *lives_on(void *argument)
{
	__atomic_store_n(&lives, true, __ATOMIC_RELEASE);
	for (int32_t i = 0;; i++) {
		Tick_Stamp(5, i);
		__atomic_store_n(live, i + 1, __ATOMIC_RELEASE);
	}
	return argument;
}

/* So many nanoseconds after the thread began. */
static int returns_with_threads(void *argument)
{
	struct timespec begun, now;
	pthread_t thread;

	pthread_create(&thread, NULL, lives_on, NULL);
	while (!__atomic_load_n(&lives, __ATOMIC_ACQUIRE))
		;
	clock_gettime(CLOCK_MONOTONIC, &begun);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begun.tv_sec) * 1000000000 + now.tv_nsec - begun.tv_nsec <
	       (intptr_t)argument);
	return 3;
}

/* What it had acknowledged when main returned is there, and at most one event more. */
static bool returned_well(long pause, size_t *n)
{
	int status = scene_run(returns_with_threads, (void *)pause);
	const struct reader_run *run = scene_read(NULL);
	bool ordered;

	*n = ticks_of(run, 5, &ordered);
	return WIFEXITED(status) && WEXITSTATUS(status) == 3 && ordered && !run->faults &&
	       *n >= (size_t)*live && *n <= (size_t)*live + 1;
}

#define RETURNS 100

/* The run may begin while main's destructors are at work. */
static void test_first_event(void)
{
	int good = 0, none = 0;

	for (long i = 0; i < RETURNS; i++) {
		size_t n;

		*live = 0;
		good += returned_well(i * 10000, &n);
		none += n == 0;
	}
	ok(good == RETURNS, "main returns when a thread logs first: %d of %d, %d without an event",
	   good, RETURNS, none);
}

static void test_in_order(void)
{
	const struct reader_run *run;
	size_t n;
	bool ordered, good;

	scene_run(ends_in_order, NULL);
	run = scene_read(NULL);
	ok(ticks_of(run, 0, &ordered) == 3 && ordered && run->state == 1,
	   "events of atexit handlers and destructors");
	good = returned_well(20000000, &n);
	ok(good, "main returns while a thread logs: %zu events, %d acknowledged", n, *live);
}

/*
 * Has no variable with an address: AddressSanitizer does not learn that the frame of a thread that
 * is cancelled asynchronously is gone, and takes what stands there next for an error.
 */
static void *cancelled(void *argument)
{
	pthread_setcanceltype(argument ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED,
			      NULL);
	for (int32_t i = 0;; i++) {
		Tick_Stamp(1, i);
		if (i % 64 == 0)
			pthread_testcancel();
	}
	return NULL;
}

#define CANCELS 100

static int cancels(void *argument)
{
	for (long i = 0; i < CANCELS; i++) {
		const struct timespec pause = { 0, 10000 * (i % 10) };
		pthread_t thread;

		pthread_create(&thread, NULL, cancelled, argument);
		nanosleep(&pause, NULL);
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
	Tick_Stamp(0, 0);
	return 0;
}

/* ThreadSanitizer's own locks do not survive a thread that ends at any instruction. */
#ifdef __SANITIZE_THREAD__
#define CANCEL_TYPES 1
#else
#define CANCEL_TYPES 2
#endif

static void test_cancel(void)
{
	bool ordered;

	for (intptr_t i = 0; i < CANCEL_TYPES; i++) {
		int status = scene_run(cancels, (void *)i);
		const struct reader_run *run = scene_read(NULL);

		ok(status == 0 && ticks_of(run, 0, &ordered) == 1 && !run->faults && !run->lost,
		   "%s pthread_cancel(): %u logs", i ? "asynchronous" : "deferred", run->logs);
	}
}

static int stopped(void *argument)
{
	(void)argument;
	for (int32_t i = 0; i < EVENTS; i++) {
		Tick_Stamp(0, i);
		if (i == EVENTS / 2)
			raise(SIGSTOP);
	}
	return 0;
}

static void test_stopped(void)
{
	pid_t pid = scene_start(stopped, NULL);
	int status;

	waitpid(pid, &status, WUNTRACED);
	kill(pid, SIGCONT);
	ok(scene_wait(pid) == 0 && all_there(), "SIGSTOP and SIGCONT");
}

static sigjmp_buf back;

static void jumps(int signal)
{
	(void)signal;
	Tick_Stamp(1, 0);
	siglongjmp(back, 1);
}

/* A handler that leaves an event by longjmp() loses that one event, which had not returned. */
static int jumping(void *argument)
{
	struct sigaction action = { .sa_handler = jumps };
	volatile int32_t n = 0, returned = 0;

	(void)argument;
	sigaction(SIGALRM, &action, NULL);
	if (!sigsetjmp(back, 1))
		ualarm(3000, 0);
	else
		returned = n + 1;
	while (!returned || n < returned + EVENTS) {
		Tick_Stamp(0, n);
		n = n + 1;
	}
	Tick_Stamp(2, n);
	return 0;
}

static void test_longjmp(void)
{
	const struct reader_run *run;
	bool ordered;
	size_t wanted = 0, n;
	int status = scene_run(jumping, NULL);

	run = scene_read(NULL);
	for (size_t i = 0; i < run->count; i++)
		if (run->events[i].values[0] == 2)
			wanted = (size_t)run->events[i].values[1];
	n = ticks_of(run, 0, &ordered);
	ok(status == 0 && !run->faults && wanted && n + 1 >= wanted && n <= wanted + 1,
	   "longjmp() out of a handler: %zu of %zu events", n, wanted);
}

int main(void)
{
	plan(14 + CANCEL_TYPES);
	live = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	test_abrupt();
	test_in_order();
	test_first_event();
	test_late();
	test_cancel();
	test_stopped();
	test_longjmp();
	return done();
}
