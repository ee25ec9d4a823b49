/* Threads: many, short ones, ends of threads, events before main and after it, names. */
#include "scene.h"
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CROWD 64
#define EACH 20000

static void *counts(void *argument)
{
	int32_t me = (int32_t)(intptr_t)argument;
	char name[16];

	snprintf(name, sizeof name, "worker %d", me);
	glimpse_thread_name(name);
	for (int32_t i = 0; i < EACH; i++)
		Tick_Stamp(me, i);
	return NULL;
}

static int crowd(void *argument)
{
	pthread_t threads[CROWD];

	(void)argument;
	for (intptr_t i = 0; i < CROWD; i++)
		pthread_create(&threads[i], NULL, counts, (void *)i);
	for (int i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static void test_crowd(void)
{
	const struct reader_run *run;
	unsigned whole = 0;
	bool ordered;

	scene_run(crowd, NULL);
	run = scene_read(NULL);
	for (int32_t i = 0; i < CROWD; i++)
		whole += ticks_of(run, i, &ordered) == EACH && ordered;
	ok(whole == CROWD, "%u of %d threads are whole", whole, CROWD);
	ok(run->logs == CROWD && run->ended == CROWD && run->tails == 0 && run->state == 1,
	   "each has its log, ended, and no tail is left");
	ok(!strncmp(run->names[5], "worker ", 7), "they have names: %s", run->names[5]);
}

static void *few(void *argument)
{
	for (int32_t i = 0; i < 10; i++)
		Tick_Stamp((int32_t)(intptr_t)argument, i);
	return NULL;
}

#define GENERATIONS 2000

static int churn(void *argument)
{
	pthread_t thread;

	(void)argument;
	for (intptr_t i = 0; i < GENERATIONS; i++) {
		if (pthread_create(&thread, NULL, few, (void *)i))
			return 1;
		pthread_join(thread, NULL);
	}
	return access("/proc/self/fd/6", F_OK) == 0;
}

static void test_churn(void)
{
	const struct reader_run *run;
	char path[600];
	int status = scene_run(churn, NULL);

	run = scene_read(NULL);
	ok(status == 0 && run->count == 10 * GENERATIONS && run->logs == GENERATIONS,
	   "%u threads that came and went, no descriptor left open", run->logs);
	snprintf(path, sizeof path, "%s/tail.2", scene_log);
	ok(access(path, F_OK) != 0, "they shared their tails");
}

static pthread_key_t early, late;

static void logs_at_end(void *value)
{
	Tick_Stamp(1, (int32_t)(intptr_t)value - 1);
}

/* What C++ calls for a thread_local object with a destructor; they come before the keys'. */
int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *library)
    __attribute__((weak));

static void *ends(void *argument)
{
	(void)argument;
	if (__cxa_thread_atexit_impl)
		__cxa_thread_atexit_impl(logs_at_end, (void *)3, &early);
	else
		logs_at_end((void *)3);
	pthread_setspecific(early, (void *)1);
	pthread_setspecific(late, (void *)2);
	Tick_Stamp(0, 0);
	return NULL;
}

static int thread_data(void *argument)
{
	pthread_t thread;

	(void)argument;
	pthread_key_create(&early, logs_at_end);
	glimpse_init(NULL);
	pthread_key_create(&late, logs_at_end);
	pthread_create(&thread, NULL, ends, NULL);
	pthread_join(thread, NULL);
	ends(NULL);
	return 0;
}

static void test_thread_data(void)
{
	const struct reader_run *run;

	scene_run(thread_data, NULL);
	run = scene_read(NULL);
	/* the keys of the main thread are not destroyed at its end */
	ok(run->count == 4 + 2 && run->logs == 2 && !run->faults,
	   "destructors of thread data, of C's and of C++'s, log to the thread's log");
}

static int reopened(void *argument)
{
	for (int32_t i = 0; i < (intptr_t)argument; i++) {
		Tick_Stamp(0, i);
		glimpse_thread_close();
		glimpse_thread_close();
	}
	return 0;
}

static void reopen(intptr_t times, unsigned logs, unsigned inner)
{
	const struct reader_run *run;
	bool ordered;

	scene_run(reopened, (void *)times);
	run = scene_read(NULL);
	ok(ticks_of(run, 0, &ordered) == (size_t)times && run->logs == logs &&
	       run->inner == inner && !run->faults && !run->dropped,
	   "%ld times an event and glimpse_thread_close(): %u threads, %u further files",
	   (long)times, run->logs, run->inner);
}

/* ThreadSanitizer forgets a thread in the last round of its destructors. */
#ifdef __SANITIZE_THREAD__
#define ROUNDS (PTHREAD_DESTRUCTOR_ITERATIONS - 1)
#else
#define ROUNDS PTHREAD_DESTRUCTOR_ITERATIONS
#endif

static pthread_key_t again;

/* Logs in all rounds of destructors; in the last ones the thread's log has ended. */
static void logs_again(void *value)
{
	int32_t *round = value;

	Tick_Stamp(1, *round);
	if (++*round < ROUNDS)
		pthread_setspecific(again, round);
}

static void *begins_late(void *argument)
{
	Tick_Stamp(0, 0);
	pthread_setspecific(again, argument);
	return NULL;
}

static int late_thread_data(void *argument)
{
	int32_t rounds = 0;
	pthread_t thread;

	(void)argument;
	pthread_key_create(&again, logs_again);
	pthread_create(&thread, NULL, begins_late, &rounds);
	pthread_join(thread, NULL);
	return 0;
}

static void test_late_thread_data(void)
{
	const struct reader_run *run;
	bool ordered;

	scene_run(late_thread_data, NULL);
	run = scene_read(NULL);
	ok(ticks_of(run, 1, &ordered) == ROUNDS && ordered && run->logs == 1 && run->inner &&
	       !run->faults && !run->dropped,
	   "a destructor logs in the last round: %u thread", run->logs);
}

/* A thread is switched off, and on again, and another one is not. */
static void *quiet_for_a_while(void *argument)
{
	pthread_barrier_t *together = argument;

	Tick_Stamp(1, 0);
	glimpse_thread_switch(0);
	pthread_barrier_wait(together);
	for (int32_t i = 0; i < 100; i++)
		Tick_Stamp(3, i);
	pthread_barrier_wait(together);
	glimpse_thread_switch(1);
	Tick_Stamp(1, 1);
	return NULL;
}

static int switched(void *argument)
{
	pthread_barrier_t together;
	pthread_t thread;

	(void)argument;
	pthread_barrier_init(&together, NULL, 2);
	pthread_create(&thread, NULL, quiet_for_a_while, &together);
	pthread_barrier_wait(&together);
	for (int32_t i = 0; i < 100; i++)
		Tick_Stamp(2, i);
	pthread_barrier_wait(&together);
	pthread_join(thread, NULL);
	return 0;
}

static void test_switched(void)
{
	const struct reader_run *run;
	bool quiet, other;

	scene_run(switched, NULL);
	run = scene_read(NULL);
	ok(ticks_of(run, 1, &quiet) == 2 && quiet && ticks_of(run, 2, &other) == 100 && other &&
	       ticks_of(run, 3, &other) == 0,
	   "a thread that is switched off from code logs nothing, another one does");
	ok(run->changes == 2 && !run->lost && !run->dropped, "its log tells when that was");
}

static int closed(void *argument)
{
	(void)argument;
	Tick_Stamp(0, 0);
	glimpse_close();
	Tick_Stamp(0, 1);
	Say_Stamp(0, "not logged");
	glimpse_close();
	return glimpse_init(NULL) == -LOGGED ? 0 : 1;
}

static void test_closing(void)
{
	int status;

	reopen(2, 1, 1);
	reopen(8, 1, 7);
	reopen(9, 2, 7);
	status = scene_run(closed, NULL);
	ok(status == 0 && scene_read(NULL)->count == 1 && scene_read(NULL)->state == 1,
	   "no event is logged after glimpse_close()");
}

int main(void)
{
	plan(13);
	test_crowd();
	test_churn();
	test_thread_data();
	test_late_thread_data();
	test_closing();
	test_switched();
	return done();
}
