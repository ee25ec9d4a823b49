#include "recorder/live_process/live_threads.h"
#include "base/monotonic.h"
#include "recorder/processes.h"
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MOST = 4096 };

/* Reads a small file of a process, or of a thread unless tid is 0. Returns false if it cannot. */
static bool proc_read(pid_t pid, pid_t tid, const char *name, char text[FILE_MOST])
{
	int fd = proc_file_open(pid, tid, name);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, FILE_MOST - 1);
	close(fd);
	if (n < 0)
		return false;
	text[n] = '\0';
	return true;
}

/* Returns what follows "KEY:" at the beginning of a line; NULL: there is no such line. */
static const char *line_value(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, n) == 0 && line[n] == ':')
			return line + n + 1;
	}
	return NULL;
}

static long line_number(const char *text, const char *key, long otherwise)
{
	const char *value = line_value(text, key);

	return value ? strtol(value, NULL, 10) : otherwise;
}

/* ---- a thread ---- */

/* The processor on which a thread ran last, from its state in its file stat on; -1: not known. */
static int processor_parse(const char *state)
{
	enum { FIELDS = 36 }; /* from the state to it */
	const char *at = state;
	int n = FIELDS;

	while (at && n-- > 0)
		at = strchr(at + 1, ' ');
	n = at ? atoi(at + 1) : -1;
	return n < CPU_SETSIZE ? n : -1;
}

/*
 * Sets name, state and processor from "TID (NAME) STATE ...", where a name may have brackets.
 */
static bool stat_parse(struct live_thread *t, const char *text)
{
	const char *from = strchr(text, '('), *to = strrchr(text, ')');

	if (!from || !to || to < from || to[1] != ' ')
		return false;
	snprintf(t->name, sizeof t->name, "%.*s", (int)(to - from - 1), from + 1);
	t->state = to[2];
	t->processor = processor_parse(to + 2);
	return true;
}

static void call_parse(struct live_call *c, const char *text)
{
	uint64_t *a = c->arguments;
	int n = sscanf(text,
		       "%ld 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64
		       " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64,
		       &c->number, &a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &c->sp, &c->pc);

	if (n == 9)
		c->state = CALL_KNOWN;
	else
		c->state = CALL_NONE;
	if (n == 1) /* -1: blocked, but not in a call; then there are sp and pc alone */
		sscanf(text, "%*d 0x%" SCNx64 " 0x%" SCNx64, &c->sp, &c->pc);
}

/* The last number of "NSpid: 812 7 1": the innermost namespace's, whose numbers memory has. */
static pid_t own_number(const char *status, pid_t tid)
{
	const char *at = line_value(status, "NSpid");
	pid_t last = tid;
	char *end;

	while (at && *at && *at != '\n') {
		long number = strtol(at, &end, 10);

		if (end == at)
			break;
		last = (pid_t)number;
		at = end;
	}
	return last;
}

bool live_thread_read(const struct live_threads *t, struct live_thread *thread)
{
	char text[FILE_MOST];
	long voluntary, other;

	if (!proc_read(t->pid, thread->tid, "stat", text) || !stat_parse(thread, text))
		return false;
	thread->switches = UINT64_MAX;
	thread->own = thread->tid;
	if (proc_read(t->pid, thread->tid, "status", text)) {
		voluntary = line_number(text, "voluntary_ctxt_switches", -1);
		other = line_number(text, "nonvoluntary_ctxt_switches", -1);
		if (voluntary >= 0 && other >= 0)
			thread->switches = (uint64_t)voluntary + (uint64_t)other;
		thread->own = own_number(text, thread->tid);
	}
	thread->call = (struct live_call){.state = CALL_UNKNOWN};
	if (proc_read(t->pid, thread->tid, "syscall", text) && *text)
		call_parse(&thread->call, text);
	thread->kernel[0] = '\0';
	if (thread->state != 'R' && proc_read(t->pid, thread->tid, "wchan", text) &&
	    strcmp(text, "0") != 0)
		snprintf(thread->kernel, sizeof thread->kernel, "%.63s", text);
	return true;
}

bool live_call_read(pid_t pid, pid_t tid, struct live_call *call)
{
	char text[FILE_MOST];

	if (!proc_read(pid, tid, "syscall", text) || !*text)
		return false;
	call_parse(call, text);
	return call->state == CALL_KNOWN;
}

bool live_thread_stayed(const struct live_thread *before, const struct live_thread *now)
{
	return before->state == now->state && before->switches == now->switches &&
	       before->switches != UINT64_MAX && before->call.state == CALL_KNOWN &&
	       now->call.state == CALL_KNOWN && before->call.number == now->call.number &&
	       before->call.sp == now->call.sp && before->call.pc == now->call.pc &&
	       memcmp(before->call.arguments, now->call.arguments, sizeof now->call.arguments) == 0;
}

/* ---- since when it is blocked ---- */

/* The clocks of processors are read for so long, ns: a busy one lets us wait for it. */
#define CLOCKS_MOST INT64_C(100000000)

/* The scheduler's clock of each processor; -1: not known. */
struct processor_clocks {
	int64_t began;
	int64_t now[CPU_SETSIZE];
	bool asked[CPU_SETSIZE];
};

/* Reads when a thread ran last by the clock of its processor, ns; -1: not known. */
static int64_t ran_last(pid_t pid, pid_t tid)
{
	char text[FILE_MOST];
	const char *at;
	double ms;

	if (!proc_read(pid, tid, "sched", text) || !(at = strstr(text, "se.exec_start")) ||
	    !(at = strchr(at, ':')))
		return -1;
	ms = strtod(at + 1, NULL);
	return ms > 0 ? (int64_t)(ms * 1e6) : -1;
}

/*
 * Returns the clock of a processor, which we go to for that: those of others differ, by the time
 * that interrupts and a hypervisor took from each. It may be late by a tick.
 */
static int64_t processor_clock(struct processor_clocks *c, int processor)
{
	cpu_set_t one;

	if (c->asked[processor])
		return c->now[processor];
	c->asked[processor] = true;
	c->now[processor] = -1;
	CPU_ZERO(&one);
	CPU_SET(processor, &one);
	if (monotonic_now() - c->began < CLOCKS_MOST && sched_setaffinity(0, sizeof one, &one) == 0)
		c->now[processor] = ran_last(getpid(), gettid());
	return c->now[processor];
}

/*
 * A blocked thread ran last when it was blocked. The clock stood while others took the processor,
 * and our reading may be late: the difference is at most the true time.
 */
static void blocked_read(const struct live_threads *t, struct live_thread *thread,
			 struct processor_clocks *c)
{
	int64_t last = ran_last(t->pid, thread->tid), now;

	if (thread->processor < 0 || last < 0 || (now = processor_clock(c, thread->processor)) < 0)
		return;
	thread->blocked = now > last ? now - last : 0;
}

static void all_blocked_read(struct live_threads *t)
{
	struct processor_clocks *c = array_zero(1, sizeof *c);
	cpu_set_t before;

	c->began = monotonic_now();
	if (sched_getaffinity(0, sizeof before, &before) == 0) {
		for (size_t i = 0; i < t->list.n; i++)
			if (t->list.at[i].state == 'S' || t->list.at[i].state == 'D')
				blocked_read(t, &t->list.at[i], c);
		sched_setaffinity(0, sizeof before, &before);
	}
	free(c);
}

/* ---- the process ---- */

static int by_number(const void *a, const void *b)
{
	const struct live_thread *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static void threads_list(struct live_threads *t)
{
	pid_t *tids;
	size_t n = process_threads(t->pid, &tids);

	for (size_t i = 0; i < n; i++) {
		struct live_thread thread = {.tid = tids[i], .blocked = -1};

		/* one that has ended meanwhile does not count */
		if (live_thread_read(t, &thread))
			*vector_add(&t->list) = thread;
	}
	free(tids);
	if (t->list.n)
		qsort(t->list.at, t->list.n, sizeof *t->list.at, by_number);
}

static bool all_ended(const struct live_threads *t)
{
	for (size_t i = 0; i < t->list.n; i++)
		if (t->list.at[i].state != 'Z' && t->list.at[i].state != 'X')
			return false;
	return true;
}

static bool other_namespace(pid_t pid)
{
	char path[48], own[64] = "", its[64] = "";

	snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)pid);
	return readlink("/proc/self/ns/pid", own, sizeof own - 1) > 0 &&
	       readlink(path, its, sizeof its - 1) > 0 && strcmp(own, its) != 0;
}

enum live_refusal live_threads_read(struct live_threads *t, pid_t pid)
{
	char text[FILE_MOST];
	long process;

	*t = (struct live_threads){.pid = pid};
	if (!proc_read(pid, 0, "status", text))
		return LIVE_MISSING;
	process = line_number(text, "Tgid", pid);
	t->tracer = (pid_t)line_number(text, "TracerPid", 0);
	if (process != pid) {
		t->pid = (pid_t)process;
		return LIVE_IS_THREAD;
	}
	if (line_number(text, "Kthread", 0) || (!line_value(text, "VmSize") && pid == 2))
		return LIVE_KERNEL;
	if (proc_read(pid, 0, "comm", text))
		snprintf(t->program, sizeof t->program, "%.*s", (int)strcspn(text, "\n"), text);
	t->namespaced = other_namespace(pid);
	threads_list(t);
	all_blocked_read(t);
	return all_ended(t) ? LIVE_ENDED : LIVE_FINE;
}

void live_threads_free(struct live_threads *t)
{
	free(t->list.at);
	t->list.at = NULL;
}
