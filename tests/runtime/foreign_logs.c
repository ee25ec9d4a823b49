/* Logs for other threads, as a recorder writes them: many at once, by one thread. */
#include "scene.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOGS 40
#define PID 4000000     /* no process has it */

static glimpse_log *logs[LOGS];
static int32_t events = 6000;   /* of each: more than a tail */

static void logs_open(void)
{
	for (uint32_t i = 0; i < LOGS; i++) {
		char name[32];

		snprintf(name, sizeof name, "other %u", i);
		logs[i] = glimpse_log_open(PID + i, UINT64_C(7000000) + i, name);
	}
}

/* One event to each log in turn, and one to its own now and then. */
static void logs_fill(void)
{
	for (int32_t n = 0; n < events; n++) {
		for (int32_t i = 0; i < LOGS; i++) {
			glimpse_log_select(logs[i]);
			Tick_Stamp(i, n);
		}
		if (n % 100 == 0) {
			glimpse_log_select(NULL);
			Tick_Stamp(LOGS, n / 100);
		}
	}
}

enum end { CLOSED, OPEN, KILLED, POOLED };

static int records(void *argument)
{
	intptr_t end = (intptr_t)argument;

	if (end == POOLED)
		setenv("GLIMPSE_LOGS", "pooled", 1);
	logs_open();
	logs_fill();
	for (int i = 0; end == CLOSED && i < LOGS; i++)
		glimpse_log_close(logs[i]);
	if (end == KILLED)
		raise(SIGKILL);
	return 0;
}

/* Whether the log of a number begins with a header that names the other thread. */
static bool header_is(uint32_t number, uint32_t i)
{
	char path[600], name[64] = "", wanted[32];
	uint64_t tid = 0;
	uint32_t pid = 0;
	FILE *f;

	snprintf(path, sizeof path, "%s/log.%u", scene_log, number);
	snprintf(wanted, sizeof wanted, "other %u", i);
	f = fopen(path, "r");
	if (!f)
		return false;
	if (fseek(f, 20, SEEK_SET) || fread(&pid, 4, 1, f) != 1 || fread(&tid, 8, 1, f) != 1 ||
	    fseek(f, 64, SEEK_SET) || fread(name, sizeof name, 1, f) != 1)
		*name = '\0';
	fclose(f);
	return pid == PID + i && tid == 7000000 + i && !strcmp(name, wanted);
}

/* Whether each log has its events in order, and those alone. */
static bool logs_whole(const struct reader_run *run)
{
	unsigned good = 0;
	bool ordered;

	for (int32_t i = 0; i < LOGS; i++)
		good += ticks_of(run, i, &ordered) == (size_t)events && ordered;
	for (size_t k = 0; k < run->count; k++) {
		const struct reader_event *e = &run->events[k];
		uint32_t log = e->thread < LOGS ? e->thread : LOGS;

		if (e->values[0] != log)
			return false;
	}
	return good == LOGS && ticks_of(run, LOGS, &ordered) == (size_t)events / 100 && ordered &&
	       run->logs == LOGS + 1 && !run->faults && !run->lost;
}

static void test_ends(void)
{
	static const char *const names[] = { "closed", "left open to the end", "SIGKILL",
					     "pooled" };

	for (intptr_t end = CLOSED; end <= POOLED; end++) {
		const struct reader_run *run;
		unsigned headers = 0;

		events = end == POOLED ? 600 : 6000;
		scene_run(records, (void *)end);
		run = scene_read(NULL);
		for (uint32_t i = 0; i < LOGS; i++)
			headers += header_is(i, i);
		ok(logs_whole(run) && headers == (end == POOLED ? 0 : LOGS) &&
			   (end == KILLED) == (run->tails > 0),
		   "%s: each log has its events, and the name of its thread", names[end]);
	}
}

/* ---- Handlers, children, threads ------------------------------------------------------------- */

static volatile int32_t handled;

static void handler(int number)
{
	(void)number;
	Tick_Stamp(9, handled++);
}

static int handles(void *argument)
{
	struct itimerval every = { { 0, 300 }, { 0, 300 } };

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &every, NULL);
	logs[0] = glimpse_log_open(PID, PID, NULL);
	logs[1] = glimpse_log_open(PID, PID, NULL);
	for (int32_t n = 0; n < 500000; n++) {
		glimpse_log_select(logs[n % 2]);
		Tick_Stamp(n % 2, n / 2);
	}
	memset(&every, 0, sizeof every);
	setitimer(ITIMER_REAL, &every, NULL);
	glimpse_log_close(logs[1]);
	Tick_Stamp(2, handled);
	return argument != NULL;
}

static void test_handlers(void)
{
	const struct reader_run *run;
	int32_t told = -1;
	bool a, b, c;

	scene_run(handles, NULL);
	run = scene_read(NULL);
	for (size_t i = 0; i < run->count; i++)
		if (run->events[i].values[0] == 2)
			told = (int32_t)run->events[i].values[1];
	ok(ticks_of(run, 0, &a) == 250000 && a && ticks_of(run, 1, &b) == 250000 && b &&
		   told > 0 && ticks_of(run, 9, &c) == (size_t)told && !run->faults,
	   "handlers log to the log that is selected (%d)", (int)told);
}

static int forks(void *argument)
{
	pid_t pid;

	logs_open();
	logs_fill();
	glimpse_log_select(logs[3]);
	pid = fork();
	if (pid == 0) {
		Tick_Stamp(1000, 0);
		glimpse_log_select(logs[5]);
		Tick_Stamp(1001, 0);
		exit(0);
	}
	waitpid(pid, NULL, 0);
	return argument != NULL;
}

static void test_fork(void)
{
	char path[600], command[700];
	const struct reader_run *run;
	bool a, b;
	FILE *found;

	scene_run(forks, NULL);
	run = scene_read(NULL);
	ok(logs_whole(run), "the logs of a process that forks");
	snprintf(command, sizeof command, "ls -d %s.[0-9]*", scene_log);
	found = popen(command, "r");
	if (!found || fscanf(found, "%599s", path) != 1)
		*path = '\0';
	if (found)
		pclose(found);
	run = scene_read(path);
	ok(ticks_of(run, 1000, &a) == 1 && ticks_of(run, 1001, &b) == 1 && run->count == 2,
	   "its child begins others");
}

static void *ends_with_log(void *log)
{
	Tick_Stamp(1, 0);
	glimpse_log_select(log);
	Tick_Stamp(0, 0);
	return NULL;
}

/* A log is passed from thread to thread, each of which ends with the log selected. */
static int passes(void *argument)
{
	logs[0] = glimpse_log_open(PID, PID, "passed");
	for (int32_t i = 0; i < 3; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, ends_with_log, logs[0]);
		pthread_join(thread, NULL);
	}
	return argument != NULL;
}

static void test_threads(void)
{
	const struct reader_run *run;
	bool a;

	scene_run(passes, NULL);
	run = scene_read(NULL);
	ok(ticks_of(run, 0, &a) == 3 && ticks_of(run, 1, &a) == 3 && run->logs == 4 &&
		   run->ended == 4,
	   "a thread that ends leaves the log that it has selected");
}

int main(void)
{
	plan(8);
	test_ends();
	test_handlers();
	test_fork();
	test_threads();
	return done();
}
