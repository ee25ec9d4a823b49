#include "recorder/recorder.h"
#include "base/monotonic.h"
#include "recorder/merge/adopt.h"
#include "recorder/observed.h"
#include "recorder/resources/resources.h"
#include "recorder/samples/samples.h"
#include "recorder/scheduler/scheduler.h"
#include "threads_glimpse.h"
#include <glimpse.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define PRIORITY (-10)
#define PROBES 3

/* The scheduler's first: it finds the threads for the others. */
static const struct recorder_probe *const probes[PROBES] = {&scheduler_probe, &samples_probe,
							    &resources_probe};

/* A probe that runs. */
struct running_probe {
	const struct recorder_probe *probe;
	int first, end; /* its descriptors among all */
	int64_t due;    /* its next step */
};

static struct running_probe running[PROBES];
static struct recording recording;
static int nrunning;
static uint64_t unsure;
static uint32_t going_on; /* processes at the end */
static char one_going_on[THREAD_NAME];

bool recorder_has(const char *name)
{
	for (int i = 0; i < PROBES; i++)
		if (strcmp(probes[i]->name, name) == 0)
			return true;
	return false;
}

static bool listed(const char *name, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool wanted(const struct recorder_probe *p, const char *const *names, int n)
{
	return !(p == &samples_probe && recording.timers) && listed(p->name, names, n);
}

int recorder_open(const struct recording *r, const char *const *names, int n)
{
	/* many threads are short */
	setenv("GLIMPSE_LOGS", "pooled", 1);
	recording = *r;
	recording.sampled = wanted(&samples_probe, names, n);
	recording.processes = listed("threads", names, n) && listed("scheduler", names, n);
	nrunning = 0;
	/* What is not recorded is not in the trace's specification either. */
	for (int i = 0; i < PROBES; i++)
		if (!wanted(probes[i], names, n))
			glimpse_unregister(probes[i]->spec);
	if (!recording.processes)
		glimpse_unregister(&threads_glimpse);
	observed_open(&recording);
	for (int i = 0; i < PROBES; i++)
		if (wanted(probes[i], names, n) && probes[i]->open(&recording))
			running[nrunning++] = (struct running_probe){.probe = probes[i]};
	/* What the kernel has no room for is lost: be in time, where that is allowed. */
	if (nrunning)
		setpriority(PRIO_PROCESS, 0, PRIORITY);
	return nrunning;
}

int recorder_fds(struct pollfd *fds, int room)
{
	int n = 0;

	for (int i = 0; i < nrunning; i++) {
		struct running_probe *r = &running[i];

		r->first = n;
		if (r->probe->fds)
			n += r->probe->fds(fds + n, room - n);
		r->end = n;
	}
	return n;
}

int recorder_wait(void)
{
	int64_t due = INT64_MAX, left;

	for (int i = 0; i < nrunning; i++)
		if (running[i].due < due)
			due = running[i].due;
	if (due == INT64_MAX)
		return -1;
	left = (due - monotonic_now() + 999999) / 1000000;
	return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

static bool is_ready(const struct running_probe *r, const struct pollfd *fds)
{
	for (int i = r->first; i < r->end; i++)
		if (fds[i].revents)
			return true;
	return false;
}

void recorder_step(const struct pollfd *fds)
{
	int64_t now = monotonic_now();

	for (int i = 0; i < nrunning; i++) {
		struct running_probe *r = &running[i];

		if (!fds || now >= r->due || is_ready(r, fds))
			r->due = r->probe->step(monotonic_now());
	}
}

static bool goes_on(const struct observed *o)
{
	char state;

	if (o->pid != o->tid || (pid_t)o->pid == recording.root)
		return false;
	state = thread_state((pid_t)o->pid, (pid_t)o->tid);
	return state && state != 'Z';
}

/* Counts processes that go on: what they do from here on is in no recording. */
static void going_on_count(void)
{
	size_t n;
	struct observed *const *list = observed_list(&n);

	going_on = 0;
	for (size_t i = 0; i < n; i++)
		if (goes_on(list[i]) && !going_on++)
			thread_name_read((pid_t)list[i]->pid, (pid_t)list[i]->tid, one_going_on);
}

void recorder_close(void)
{
	going_on_count();
	for (int i = 0; i < nrunning; i++)
		running[i].probe->close();
	observed_close();
	nrunning = 0;
	glimpse_close();
}

struct recorder_summary recorder_summary(void)
{
	struct recorder_summary s = {.python = INT_MAX};

	scheduler_summary(&s);
	samples_summary(&s);
	resources_summary(&s);
	observed_count(&s.threads, &s.processes);
	s.unsure = unsure;
	s.left = going_on;
	memcpy(s.one_left, one_going_on, sizeof s.one_left);
	return s;
}

bool recorder_adopt(const char *directory)
{
	struct diag diag = {.out = stderr, .program = "glimpse record"};

	return logs_adopt(directory, (uint32_t)recording.root, &unsure, &diag);
}
