#include "recorder/recorder.h"
#include "base/array.h"
#include "base/monotonic.h"
#include "recorder/merge/adopt.h"
#include "recorder/observed.h"
#include "recorder/obstacles.h"
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
#define OBSTACLES_MOST 3 /* that are named */

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
static struct adopted adopted;
static char *obstacles;   /* of the programs without events of their own; NULL: none */
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
	observed_open(&recording);
	obstacles_open(r->directory);
	for (int i = 0; i < PROBES; i++)
		if (wanted(probes[i], names, n) && probes[i]->open(&recording))
			running[nrunning++] = (struct running_probe){.probe = probes[i]};
	if (!recording.processes && !samples_have_futexes())
		glimpse_unregister(&threads_glimpse);
	/* What the kernel has no room for is lost: be in time, where that is allowed. */
	if (nrunning)
		setpriority(PRIO_PROCESS, 0, PRIORITY);
	return nrunning;
}

const char *recorder_wait_words(void)
{
	return threads_glimpse.text;
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
	s.unsure = adopted.unsure;
	s.programs = adopted.programs;
	s.unprobed = adopted.nunprobed;
	s.obstacles = obstacles;
	s.left = going_on;
	memcpy(s.one_left, one_going_on, sizeof s.one_left);
	return s;
}

/* ---- programs without events of the probes' libraries ---- */

/* Returns what is known of one, "PROGRAM WHY". */
static char *obstacle_of(const struct unprobed *u)
{
	/* the log of the first process may have the name of the recorder */
	bool named = *u->program && u->pid != (uint32_t)recording.root;
	struct obstacle o;

	if (obstacle_find(u->pid, named ? u->program : NULL, &o))
		return text_format("%s %s", o.program, o.why);
	return text_format("%s, it is not known why", *u->program ? u->program : "a program");
}

static bool is_told(char *const *told, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(told[i], text) == 0)
			return true;
	return false;
}

/* Returns what is known of all, each different one once; NULL: there are none. */
static char *obstacles_list(void)
{
	char *told[OBSTACLES_MOST] = {NULL}, *text = NULL;
	size_t n = 0;
	bool more = false;

	for (size_t i = 0; i < adopted.nunprobed; i++) {
		char *one = obstacle_of(&adopted.unprobed[i]);
		bool again = is_told(told, n, one);

		more |= !again && n == OBSTACLES_MOST;
		if (again || n == OBSTACLES_MOST)
			free(one);
		else
			told[n++] = one;
	}
	for (size_t i = 0; i < n; i++) {
		char *longer = text_format("%s%s%s%s", text ? text : "", text ? "; " : "", told[i],
					   more && i + 1 == n ? "; ..." : "");

		free(text);
		free(told[i]);
		text = longer;
	}
	return text;
}

bool recorder_adopt(const char *directory)
{
	struct diag diag = {.out = stderr, .program = "glimpse record"};

	bool good = logs_adopt(directory, (uint32_t)recording.root, &adopted, &diag);

	obstacles = obstacles_list();
	free(adopted.unprobed);
	adopted.unprobed = NULL;
	obstacles_free();
	return good;
}
