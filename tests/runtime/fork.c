/*
 * Processes: fork with threads alive, in handlers, exec, vfork, posix_spawn. No event twice, none
 * lost.
 */
#include "scene.h"
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 20
#define EACH 3000

static bool stop;

static void *goes_on(void *argument)
{
	int32_t n = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE))
		Tick_Stamp(1, n++);
	*(int32_t *)argument = n;
	return NULL;
}

static void child_of(int32_t round)
{
	char name[600];
	FILE *f;

	for (int32_t i = 0; i < EACH; i++)
		Tick_Stamp(100 + round, i);
	snprintf(name, sizeof name, "%s.pid%d", scene_log, round);
	f = fopen(name, "w");
	fprintf(f, "%d", (int)getpid());
	fclose(f);
	exit(0);
}

static int forks(void *argument)
{
	int32_t logged = 0;
	pthread_t thread;

	(void)argument;
	pthread_create(&thread, NULL, goes_on, &logged);
	for (int32_t i = 0; i < ROUNDS; i++) {
		pid_t pid;

		Tick_Stamp(0, i);
		pid = fork();
		if (pid == 0)
			child_of(i);
		waitpid(pid, NULL, 0);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	Tick_Stamp(2, logged);
	return 0;
}

static void child_directory(char *path, size_t size, int32_t round)
{
	char name[600];
	int pid = 0;
	FILE *f;

	snprintf(name, sizeof name, "%s.pid%d", scene_log, round);
	f = fopen(name, "r");
	if (f) {
		if (fscanf(f, "%d", &pid) != 1)
			pid = 0;
		fclose(f);
	}
	snprintf(path, size, "%s.%d", scene_log, pid);
}

static int32_t logged_by_thread(const struct reader_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (run->events[i].values[0] == 2)
			return (int32_t)run->events[i].values[1];
	return -1;
}

static void test_forks(void)
{
	const struct reader_run *run;
	unsigned whole = 0;
	bool a, b;

	scene_run(forks, NULL);
	run = scene_read(NULL);
	ok(ticks_of(run, 0, &a) == ROUNDS && a, "the parent that forks logs on");
	ok((int32_t)ticks_of(run, 1, &b) == logged_by_thread(run) && b,
	   "so does its other thread: %d events", logged_by_thread(run));
	ok(run->logs == 2 && !run->faults, "and nobody else logs there");
	for (int32_t i = 0; i < ROUNDS; i++) {
		char path[700];

		child_directory(path, sizeof path, i);
		run = scene_read(path);
		whole += ticks_of(run, 100 + i, &a) == EACH && a && run->count == EACH &&
			 run->state == 1;
	}
	ok(whole == ROUNDS, "%u of %d children have a directory of their own, DIR.PID", whole,
	   ROUNDS);
}

#define HANDLER_FORKS 60u
#define HANDLER_TICKS 200000

static volatile pid_t handler_child = -1;

static void forking_handler(int signal)
{
	(void)signal;
	handler_child = fork();
}

/* A timer forks at some instant, perhaps inside an event. The child goes on where it was. */
static int forks_in_handler(void *argument)
{
	struct sigaction action = { .sa_handler = forking_handler };

	sigaction(SIGALRM, &action, NULL);
	ualarm(*(useconds_t *)argument, 0);
	for (int32_t i = 0; i < HANDLER_TICKS; i++)
		Tick_Stamp(0, i);
	while (handler_child < 0)
		usleep(100);
	return handler_child > 0 ? scene_wait(handler_child) : 0;
}

static void test_fork_in_handler(void)
{
	unsigned good = 0;

	for (unsigned i = 0; i < HANDLER_FORKS; i++) {
		bool ordered;
		useconds_t when = 300 + 97 * (useconds_t)i;
		int status = scene_run(forks_in_handler, &when);

		good += status == 0 && ticks_of(scene_read(NULL), 0, &ordered) == HANDLER_TICKS &&
			ordered;
	}
	ok(good == HANDLER_FORKS, "fork() in a signal handler, at %u instants: %u as it should be",
	   HANDLER_FORKS, good);
}

static int executes(void *argument)
{
	for (int32_t i = 0; i < EACH; i++)
		Tick_Stamp(0, i);
	execl("/proc/self/exe", (char *)argument, (char *)NULL);
	return 1;
}

static void test_exec(void)
{
	char sibling[600];
	bool ordered;

	scene_run(executes, "after-exec");
	ok(ticks_of(scene_read(NULL), 0, &ordered) == EACH && ordered, "nothing is lost by exec");
	snprintf(sibling, sizeof sibling, "%s.1", scene_log);
	ok(ticks_of(scene_read(sibling), 55, &ordered) == 1, "the new program logs to DIR.1");
}

static int spawns(void *argument)
{
	char *const arguments[] = { "true", NULL }, *const environment[] = { NULL };
	pid_t pid;

	(void)argument;
	for (int32_t i = 0; i < 50; i++) {
		Tick_Stamp(0, i);
		if (posix_spawn(&pid, "/bin/true", NULL, NULL, arguments, environment))
			return 1;
		waitpid(pid, NULL, 0);
	}
	return 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static int vforks(void *argument)
{
	static int32_t i;       /* the child shares this memory */

	(void)argument;
	for (i = 0; i < 50; i++) {
		pid_t pid;

		Tick_Stamp(0, i);
		pid = vfork();
		if (pid == 0) {
			Tick_Stamp(1, i);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}

#pragma GCC diagnostic pop

static void test_spawn(void)
{
	bool ordered;
	int status = scene_run(spawns, NULL);

	ok(status == 0 && ticks_of(scene_read(NULL), 0, &ordered) == 50 &&
		   scene_read(NULL)->logs == 1,
	   "posix_spawn()");
}

static void test_vfork(void)
{
	bool a, b;
	int status;

#ifdef __SANITIZE_THREAD__
	skip("vfork()", "ThreadSanitizer makes a fork() of it");
	return;
#endif
	status = scene_run(vforks, NULL);
	ok(status == 0 && ticks_of(scene_read(NULL), 0, &a) == 50 && a &&
		   ticks_of(scene_read(NULL), 1, &b) == 50 && b,
	   "vfork(): the child shares the parent's thread, and its log");
}

int main(int argc, char **argv)
{
	if (argc == 1 && *argv && !strcmp(argv[0], "after-exec")) {
		Tick_Stamp(55, 0);
		return 0;
	}
	plan(9);
	test_forks();
	test_fork_in_handler();
	test_exec();
	test_spawn();
	test_vfork();
	return done();
}
