/*
 * What wrappers of functions use: events with a time that was taken before, room that is reserved,
 * whether the thread is inside libglimpse; and threads that pause.
 */
#include "runtime/system.h"
#include "scene.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EVENTS 60000    /* several tails, and a large one */
#define WIDE 2          /* index of the event */

static unsigned system_inside, system_outside;

/* Stands in the place of the runtime's own: libglimpse asks for the thread's name. */
long gl_system_call(long number, long a, long b, long c, long d, long e, long f)
{
	if (number == SYS_prctl && a == PR_GET_NAME && glimpse_inside())
		system_inside++;
	else if (number == SYS_prctl && a == PR_GET_NAME)
		system_outside++;
	return syscall(number, a, b, c, d, e, f);
}

/* ---- Given times ----------------------------------------------------------------------------- */

static void given(uint64_t ticks)
{
	Wide_StampAt(ticks, (int64_t)ticks, 0, NULL);
}

/* Every tenth event comes with the time of the one before the other nine. */
static int gives_times(void *argument)
{
	if (argument)
		setenv("GLIMPSE_CLOCK", argument, 1);
	for (uint32_t i = 0; i < EVENTS / 10; i++) {
		uint64_t early = glimpse_now();

		for (int k = 0; k < 8; k++)
			given(glimpse_now());
		Wide_Stamp(0, 0, NULL);
		given(early);
	}
	return 0;
}

static void handler(int number)
{
	(void)number;
	given(glimpse_now());
}

static int handles(void *argument)
{
	struct itimerval every = { { 0, 200 }, { 0, 200 } };

	(void)argument;
	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &every, NULL);
	gives_times(NULL);
	gives_times(NULL);
	memset(&every, 0, sizeof every);
	setitimer(ITIMER_REAL, &every, NULL);
	return 0;
}

/* Returns how many events have the time that was given; those that have another one are wrong. */
static size_t times_of(const struct reader_run *run, size_t *wrong)
{
	size_t right = 0;

	*wrong = 0;
	for (size_t i = 0; i < run->count; i++) {
		const struct reader_event *e = &run->events[i];

		if (e->index != WIDE || !e->values[0])
			continue;
		*(e->values[0] == e->ticks ? &right : wrong) += 1;
	}
	return right;
}

static void test_times(void)
{
	static const char *const clocks[] = { NULL, "monotonic", "fake:7:100000" };
	const struct reader_run *run;
	size_t right, wrong;

	for (unsigned i = 0; i < 3; i++) {
		scene_run(gives_times, (void *)(uintptr_t)clocks[i]);
		run = scene_read(NULL);
		right = times_of(run, &wrong);
		ok(right == EVENTS / 10 * 9 && !wrong && run->count == EVENTS && !run->faults,
		   "clock %s: events have the times that they are given",
		   clocks[i] ? clocks[i] : "as it is");
	}
	scene_run(handles, NULL);
	run = scene_read(NULL);
	right = times_of(run, &wrong);
	ok(right > EVENTS / 10 * 18 && !wrong && !run->faults, "also those of handlers (%zu)",
	   right - EVENTS / 10 * 18);
}

/* Before the run is open, as the first event's wrapper does. */
static int asks_early(void *argument)
{
	struct timespec now;
	int64_t off;

	setenv("GLIMPSE_CLOCK", "monotonic", 1);
	off = (int64_t)glimpse_now();
	clock_gettime(CLOCK_MONOTONIC, &now);
	off -= (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	return argument || off > 0 || off < -1000000000;
}

/* ---- Room ------------------------------------------------------------------------------------ */

/* While a record fits into the reserved room the tail's base stands: nothing was appended. */
static int reserves(void *argument)
{
	unsigned bad = 0;

	if (argument)
		setenv("GLIMPSE_KEEP", argument, 1);
	glimpse_reserve(200);
	for (int i = 0; i < EVENTS / 5; i++) {
		const struct glimpse_tail *tail;
		uint64_t base, at;

		glimpse_reserve(140);
		tail = glimpse_self;
		base = tail->base;
		at = tail->at;
		for (int k = 0; k < 5; k++)
			given(glimpse_now());
		bad += glimpse_self != tail || tail->base != base || tail->at < at;
	}
	return bad != 0;
}

static void test_reserve(void)
{
	const struct reader_run *run;

	for (int ring = 0; ring < 2; ring++) {
		int status = scene_run(reserves, ring ? (char[]){ "newest:1M" } : NULL);

		run = scene_read(NULL);
		ok(status == 0 && !run->faults && (ring || run->count == EVENTS),
		   "%sno log is written where room was reserved", ring ? "a ring: " : "");
	}
}

/* ---- Inside, and paused ---------------------------------------------------------------------- */

static int is_inside(void *argument)
{
	(void)argument;
	if (glimpse_inside())
		return 1;
	Tick_Stamp(0, 0);
	return glimpse_inside() || !system_inside || system_outside;
}

static void *pauses_not(void *argument)
{
	Tick_Stamp(1, 0);
	return argument;
}

static int pauses(void *argument)
{
	pthread_t other;

	glimpse_thread_pause();
	Tick_Stamp(9, 0);
	glimpse_reserve(100);
	glimpse_thread_resume();
	Tick_Stamp(0, 0);
	glimpse_thread_pause();
	glimpse_thread_pause();
	Tick_Stamp(9, 1);
	given(glimpse_now());
	pthread_create(&other, NULL, pauses_not, argument);
	pthread_join(other, NULL);
	glimpse_thread_resume();
	Tick_Stamp(0, 1);
	return 0;
}

int main(void)
{
	const struct reader_run *run;
	bool a, b;

	plan(9);
	test_times();
	ok(scene_run(asks_early, NULL) == 0, "the run's time is known before its first event");
	test_reserve();
	ok(scene_run(is_inside, NULL) == 0, "libglimpse calls the system from inside only");
	scene_run(pauses, NULL);
	run = scene_read(NULL);
	ok(ticks_of(run, 0, &a) == 2 && a && ticks_of(run, 1, &b) == 1 && run->count == 3,
	   "a thread that pauses logs nothing, another one does");
	return done();
}
