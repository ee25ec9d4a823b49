/*
 * Numbers 0 to 2, and the signals of files at their limit: the runtime never has such a number, a
 * program's data gets none of its messages, and a message does not end the program.
 *
 * `stderr SCENE` is a program of its own, since the runtime looks at stderr when it is loaded.
 */
#include "scene.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define EVENTS 300000

static void limit_files(rlim_t size)
{
	struct rlimit l = { size, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &l);
}

static void logs(void)
{
	for (int32_t i = 0; i < EVENTS; i++)
		Tick_Stamp(0, i);
}

/* Another thread's messages to stderr, which is closed. */
static void *complains(void *argument)
{
	for (;;)
		if (write(STDERR_FILENO, "a message of the program\n", 25) > 0)
			_exit(3);
	return argument;
}

static int closed(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, complains, NULL);
	logs();
	return 0;
}

/* The log cannot be made, which is told on stderr. */
static void fails(void)
{
	setenv("GLIMPSE_DIR", "/proc/run", 1);
	Tick_Stamp(0, 0);
}

/* As daemons do. */
static int daemon_data(void)
{
	struct stat st;
	int fd;

	close(STDERR_FILENO);
	fd = open("/tmp", O_RDWR | O_TMPFILE, 0600);
	fails();
	return fd != STDERR_FILENO || fstat(fd, &st) || st.st_size;
}

static int told(void)
{
	fails();
	return 0;
}

static int message_at_limit(void)
{
	limit_files(0);
	fails();
	return 0;
}

static int message_to_nobody(void)
{
	fails();
	return 0;
}

static int switches_at_limit(void)
{
	if (LOGGED && glimpse_init(NULL))
		return 1;
	Tick_Stamp(0, 0);
	limit_files(0);
	return LOGGED && (glimpse_switch("Tick", 0) || glimpse_switch("Tick", 1));
}

static int all_at_limit(void)
{
	char copy[600];

	Tick_Stamp(0, 0);
	limit_files(0);
	logs();
	snprintf(copy, sizeof copy, "%s.copy", getenv("GLIMPSE_DIR"));
	return LOGGED && glimpse_snapshot(copy) == 0;
}

static const struct program {
	const char *name;
	int (*run)(void);
} programs[] = {
	{ "closed", closed },           { "daemon_data", daemon_data },
	{ "told", told },               { "message_at_limit", message_at_limit },
	{ "nobody", message_to_nobody }, { "switches", switches_at_limit },
	{ "all", all_at_limit },
};

static char said_path[600];

/* Runs a program with stderr as `how` says, and returns its status. */
enum how { CLOSED, FILE_KEPT, PIPE };

static int run(const char *name, enum how how)
{
	static int number;
	int ends[2], fd;
	pid_t pid;

	snprintf(scene_log, sizeof scene_log, "%s/program%d", scene_root, ++number);
	snprintf(said_path, sizeof said_path, "%s.said", scene_log);
	fflush(stdout);
	pid = fork();
	if (pid)
		return scene_wait(pid);
	setenv("GLIMPSE_DIR", scene_log, 1);
	if (how == PIPE && pipe(ends))
		_exit(98);
	close(STDERR_FILENO);
	if (how == FILE_KEPT) {
		fd = open(said_path, O_RDWR | O_CREAT | O_APPEND, 0600);
		dup2(fd, STDERR_FILENO);
	}
	if (how == PIPE) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
	}
	signal(SIGPIPE, SIG_DFL);
	execl("/proc/self/exe", "stderr", name, NULL);
	_exit(99);
}

static off_t said_size(void)
{
	struct stat st;

	return stat(said_path, &st) ? -1 : st.st_size;
}

static void test_closed(void)
{
#ifdef __SANITIZE_THREAD__
	skip("stderr is closed and written to",
	     "ThreadSanitizer reports the program's write to a number that it has not opened");
#else
	int status, good = 0;
	bool ordered;

	for (int i = 0; i < 3; i++) {
		const struct reader_run *r;

		status = run("closed", CLOSED);
		r = scene_read(NULL);
		good += status == 0 && ticks_of(r, 0, &ordered) == EVENTS && ordered && !r->faults;
	}
	ok(good == 3, "stderr is closed and written to: %d of 3 logs are whole", good);
#endif
}

static void test_files(void)
{
	int status = run("daemon_data", FILE_KEPT);

	ok(status == 0 && said_size() == 0, "a data file with stderr's number gets no message");
	status = run("told", FILE_KEPT);
	ok(status == 0 && (!LOGGED || said_size() > 40), "stderr gets it");
}

static void test_signals(void)
{
	const struct reader_run *r;
	int status = run("message_at_limit", FILE_KEPT);

	ok(status == 0, "a message to a file at its limit");
	ok(run("nobody", PIPE) == 0, "a message to a pipe that nobody reads");
	ok(run("switches", FILE_KEPT) == 0, "glimpse_switch() under RLIMIT_FSIZE");
	status = run("all", FILE_KEPT);
	r = scene_read(NULL);
	ok(status == 0 && r->count + r->lost + r->dropped == EVENTS + 1,
	   "events and glimpse_snapshot() under RLIMIT_FSIZE: %llu lost ones are counted",
	   (unsigned long long)(r->lost + r->dropped));
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof programs / sizeof *programs; i++)
		if (strcmp(argv[1], programs[i].name) == 0)
			return programs[i].run();
	plan(7);
	test_closed();
	test_files();
	test_signals();
	return done();
}
