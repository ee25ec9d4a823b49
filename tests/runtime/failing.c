/*
 * Each system call of the runtime made to fail in turn. The program ends as it does without
 * logging, with at most one message of each kind, and every event is in the log or counted as
 * lost. GLIMPSE_FAILURES=all makes each call of the scenes fail with each error; otherwise some
 * in between are left out.
 * tested: failing calls, /^\t\t{ "/ ways to keep logs (GLIMPSE_FAILURES=all): what the program does
 * with and without logging; events in the log and counted as lost.
 */
#include "failures.h"
#include "runtime/system.h"
#include "scene.h"
#include "tests/sanitized.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STEP (SANITIZED ? 16 : 1)
#define THREADS 3
#define HANG_SECONDS 100
#define RESULT 7                /* the program's exit status */
#define ERRNO 4711              /* what errno is, before an event and after */

static const struct {
	enum call call;
	int errors[4];
} kinds[] = {
	{ CALL_OPENAT, { EMFILE, ENOSPC, EACCES, EINTR } },
	{ CALL_CLOSE, { EIO, EINTR } },
	{ CALL_FCNTL, { EMFILE } },
	{ CALL_FSTAT, { EIO } },
	{ CALL_FSTATAT, { EACCES, ENOMEM } },
	{ CALL_FACCESSAT, { EACCES } },
	{ CALL_UNLINKAT, { EACCES, EIO } },
	{ CALL_MKDIR, { ENOSPC, EACCES } },
	{ CALL_PWRITE, { ENOSPC, EIO, EINTR, FAILURE_SHORT } },
	{ CALL_PREAD, { EIO, FAILURE_SHORT } },
	{ CALL_READ, { EIO, EINTR } },
	{ CALL_WRITE, { ENOSPC, EINTR } },
	{ CALL_FTRUNCATE, { EIO, EINTR } },
	{ CALL_FALLOCATE, { ENOSPC, EIO, EINTR, EOPNOTSUPP } },
	{ CALL_MMAP, { ENOMEM } },
	{ CALL_MUNMAP, { ENOMEM } },
	{ CALL_MADVISE, { ENOMEM } },
	{ CALL_COPY, { EIO, EXDEV } },
	{ CALL_GETCWD, { ENOENT, EACCES } },
	{ CALL_PRCTL, { EACCES } },
	{ CALL_FSTATFS, { EIO } },
	{ CALL_GETRLIMIT, { EPERM } },
	{ CALL_FDOPENDIR, { ENOMEM } },
	{ CALL_IO_SETUP, { EAGAIN, ENOSYS } },
	{ CALL_IO_SUBMIT, { EAGAIN, EIO } },
	{ CALL_IO_GETEVENTS, { EIO, EINTR } },
	{ CALL_IO_DESTROY, { EINVAL } },
	{ CALL_TGKILL, { EPERM, ESRCH } },
};

struct scenario {
	const char *name, *keep, *write;
	int32_t many;           /* events of the first thread; the others have a tenth */
	bool whole;             /* with a child, a snapshot and switches */
};

/* What a scene says of itself; in shared memory. */
static struct {
	struct failures failures;
	int32_t logged[THREADS + 2];    /* by each thread, the main thread and the child */
	int32_t before;                 /* the snapshot, of the main thread */
	int snapshot;                   /* 0: it was taken */
	pid_t child;
	int child_status;
	int descriptors;                /* more at the end than at the start */
	bool errno_kept;
} *shared;

static unsigned runs, failed, bad;
static const struct scenario *scenario;

/* ---- The program ----------------------------------------------------------------------------- */

static void logs_some(int32_t me, int32_t many)
{
	for (int32_t i = 0; i < many; i++) {
		errno = ERRNO;
		Tick_Stamp(me, shared->logged[me]);
		if (errno != ERRNO)
			shared->errno_kept = false;
		shared->logged[me]++;
	}
}

static void *thread_logs(void *argument)
{
	int32_t me = (int32_t)(intptr_t)argument;

	logs_some(me, me ? scenario->many / 10 : scenario->many);
	glimpse_thread_name("worker");
	logs_some(me, 10);
	return NULL;
}

static int descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static void has_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		logs_some(THREADS + 1, 100);
		exit(RESULT);
	}
	shared->child = pid;
	waitpid(pid, &shared->child_status, 0);
}

static int program(void *argument)
{
	int before = descriptors();
	pthread_t threads[THREADS];
	char path[600];

	(void)argument;
	setenv("GLIMPSE_KEEP", scenario->keep, 1);
	setenv("GLIMPSE_WRITE", scenario->write, 1);
	/* ThreadSanitizer takes the mapping of the switches, by whoever logs first, for a race. */
	glimpse_init(NULL);
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread_logs, (void *)i);
	logs_some(THREADS, 50);
	if (scenario->whole) {
		glimpse_switch("Say", 0);
		shared->before = shared->logged[THREADS];
		snprintf(path, sizeof path, "%s.snapshot", scene_log);
		shared->snapshot = glimpse_snapshot(path);
		glimpse_switch("Say", 1);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	if (scenario->whole)
		has_child();
	logs_some(THREADS, 50);
	shared->descriptors = descriptors() - before;
	return RESULT;
}

/* ---- What is checked ------------------------------------------------------------------------- */

static void complain(const char *what)
{
	const struct failures *f = &shared->failures;
	const char *name = f->call < CALLS ? call_names[f->call] : "nothing";

	printf("# %s, %s %u%s fails with %s: %s\n", scenario->name, name, f->nth,
	       f->on ? " and later" : "", f->error == FAILURE_SHORT ? "half" : strerror(f->error),
	       what);
}

/* Waits for a scene, which is killed if it hangs with all signals blocked. */
static int wait_limited(pid_t pid)
{
	const struct timespec most = { HANG_SECONDS, 0 };
	sigset_t ended;
	int status = -1;

	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	while (waitpid(pid, &status, WNOHANG) == 0)
		if (sigtimedwait(&ended, NULL, &most) < 0 && errno == EAGAIN)
			kill(pid, SIGKILL);
	return status;
}

/* Whether the events of each thread in the log are in order, and none is there twice. */
static bool events_ascend(const struct reader_run *run)
{
	int32_t last[THREADS + 2] = { 0 };

	for (size_t i = 0; i < run->count; i++) {
		const struct reader_event *e = &run->events[i];
		int32_t a = (int32_t)e->values[0], b = (int32_t)e->values[1];

		if (e->index || a < 0 || a > THREADS + 1 || b < last[a])
			return false;
		last[a] = b + 1;
	}
	return true;
}

/* Whether the program was told that it logs nothing, or could not be: its stderr is not known. */
static bool nothing_is_said(void)
{
	return scene_said("nothing is logged") || shared->failures.call == CALL_FSTAT ||
	       shared->failures.call == CALL_WRITE;
}

/* Whether a log accounts for so many events; nothing may be there only if stderr says so. */
static bool log_accounts(const char *directory, int64_t events)
{
	const struct reader_run *run = scene_read(directory);
	int64_t found = (int64_t)(run->count + run->lost + run->dropped);
	char text[200];

	if (run->faults) {
		complain("the log is damaged");
		return false;
	}
	if (found != events && !(found == 0 && nothing_is_said())) {
		snprintf(text, sizeof text, "%lld events, but %zu in the log, %llu lost, %llu dropped",
			 (long long)events, run->count, (unsigned long long)run->lost,
			 (unsigned long long)run->dropped);
		complain(text);
		return false;
	}
	if (!events_ascend(run)) {
		complain("events are out of order, or there twice");
		return false;
	}
	return true;
}

/* A snapshot that was taken has what the main thread had logged before, or counts it as lost. */
static bool snapshot_is_whole(void)
{
	char path[600];
	const struct reader_run *run;

	snprintf(path, sizeof path, "%s.snapshot", scene_log);
	run = scene_read(path);
	if (run->faults || !events_ascend(run) ||
	    (int64_t)(run->count + run->lost + run->dropped) < shared->before) {
		complain("a snapshot that succeeded is not whole");
		return false;
	}
	return true;
}

/* Whether each of two processes said each thing once. */
static bool messages_are_few(void)
{
	const char *text = scene_text(), *end;
	char kinds_said[16][64];
	unsigned count[16] = { 0 }, n = 0, k;

	for (; (end = strchr(text, '\n')); text = end + 1) {
		char kind[64];

		snprintf(kind, sizeof kind, "%.*s", (int)strcspn(text, "/\n"), text);
		for (k = 0; k < n && strcmp(kinds_said[k], kind); k++)
			;
		if (k == 16)
			return false;
		if (k == n)
			strcpy(kinds_said[n++], kind);
		if (++count[k] > (scenario->whole ? 2 : 1) && !strstr(kind, "earlier run"))
			return false;
		if (strncmp(kind, "glimpse: ", 9))
			return false;
	}
	return true;
}

static bool good_end(int status)
{
	bool good = WIFEXITED(status) && WEXITSTATUS(status) == RESULT;

	if (scenario->whole)
		good = good && WIFEXITED(shared->child_status) &&
		       WEXITSTATUS(shared->child_status) == RESULT;
	if (!good)
		printf("# status %#x, child's %#x\n", (unsigned)status,
		       (unsigned)shared->child_status);
	return good;
}

/* Of the directory and in reserve; and one that is not closed, since it could not be told whose. */
static int descriptors_most(void)
{
	return shared->failures.call == CALL_FSTAT ? 3 : 2;
}

static bool run_is_good(int status)
{
	int64_t events = 0;
	char child[600];

	for (int i = 0; i < THREADS + 1; i++)
		events += shared->logged[i];
	snprintf(child, sizeof child, "%s.%d", scene_log, (int)shared->child);
	if (!good_end(status))
		complain("the program ends otherwise");
	else if (!shared->errno_kept)
		complain("errno changes");
	else if (shared->descriptors > descriptors_most())
		complain("descriptors are left open");
	else if (!messages_are_few())
		complain(scene_text());
	else
		return log_accounts(NULL, events) &&
		       (!scenario->whole || log_accounts(child, shared->logged[THREADS + 1])) &&
		       (!scenario->whole || shared->snapshot || snapshot_is_whole());
	return false;
}

/* ---- The runs -------------------------------------------------------------------------------- */

static bool run_once(int call, unsigned nth, bool on, int error)
{
	bool good;

	memset(shared, 0, sizeof *shared);
	shared->errno_kept = true;
	shared->failures.call = call;
	shared->failures.nth = nth;
	shared->failures.on = on;
	shared->failures.error = error;
	good = run_is_good(wait_limited(scene_start(program, NULL)));
	scene_clear();
	runs++;
	failed += shared->failures.failed;
	bad += !good;
	return good;
}

/* EINTR for ever is no answer of any kernel. */
static void call_fail(const int *errors, size_t most, int call, unsigned count)
{
	bool all = getenv("GLIMPSE_FAILURES");

	for (size_t e = 0; e < most && errors[e]; e++)
		for (unsigned n = 0; n < count; n += all ? 1 : 1 + STEP * n) {
			run_once(call, n, false, errors[e]);
			if (errors[e] != EINTR && (all || n < 8))
				run_once(call, n, true, errors[e]);
		}
}

static void scenario_run(const struct scenario *s)
{
	unsigned counts[CALLS], made = 0;

	scenario = s;
	runs = failed = bad = 0;
	run_once(CALL_NONE, 0, false, 0);
	ok(!bad, "%s: nothing fails", s->name);
	memcpy(counts, shared->failures.count, sizeof counts);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		made += counts[kinds[k].call];
		call_fail(kinds[k].errors, 4, (int)kinds[k].call, counts[kinds[k].call]);
	}
	ok(!bad && failed, "%s: %u runs, of %u calls each; %u calls failed, after which %u runs were bad",
	   s->name, runs, made, failed, bad);
}

int main(void)
{
	static const struct scenario scenarios[] = {
		{ "all", "all", "", 9000, true },
		{ "ring", "newest:64K", "", 20000, true },
		{ "direct", "all", "direct", 120000, false },
	};
	sigset_t ended;

	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &ended, NULL);
	if (!SYSTEM_DIRECT) {
		printf("1..0 # SKIP here the runtime calls the functions of the C library\n");
		return 0;
	}
	plan(2 * (int)(sizeof scenarios / sizeof *scenarios));
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	failures = &shared->failures;
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		scenario_run(&scenarios[i]);
	return done();
}
