#include "recorder/scheduler/sampling.h"
#include "base/array.h"
#include "base/monotonic.h"
#include "recorder/observed.h"
#include "recorder/obstacles.h"
#include "recorder/scheduler/throttle.h"
#include "recorder/scheduler/usable.h"
#include "scheduler_glimpse.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVERY 10000000
#define LATE 20000000 /* so much later than it ran may the kernel count it at most */
/* The thread's figures at the last sample; schedstat counts from the thread's begin on. */
struct sampled_figures {
	struct proc_file figures, name; /* schedstat and comm */
	int64_t time;                   /* up to which all is logged */
	int64_t unchanged;              /* up to then they were the same */
	uint64_t ran, delayed;
};

static int64_t every, next; /* time of the next scan */
static int64_t ran_sum;     /* what all threads ran, as far as it was logged */

/* Logs that the thread was blocked up to a time. */
static void blocked_log(struct observed *o, int64_t until)
{
	struct sampled_figures *s = o->sampled;

	if (until <= s->time)
		return;
	observed_select(o);
	Sampled_StampAt((uint64_t)until, 0, 0, (uint64_t)(until - s->time));
	observed_select(NULL);
	s->time = until;
}

static void sampled_end(struct observed *o)
{
	if (o->sampled) {
		throttle_end(o);
		blocked_log(o, o->sampled->unchanged);
		proc_file_close(&o->sampled->figures);
		proc_file_close(&o->sampled->name);
	}
	free(o->sampled);
	o->sampled = NULL;
}

static bool figures_read(const struct sampled_figures *s, uint64_t figures[2])
{
	int fd = proc_file_get(&s->figures);
	bool good = fd >= 0 && process_numbers(fd, 0, figures, 2) == 2;

	proc_file_release(&s->figures, fd);
	return good;
}

static void name_read(struct observed *o)
{
	int fd = proc_file_get(&o->sampled->name);
	char before[THREAD_NAME];

	memcpy(before, o->name, sizeof before);
	if (fd >= 0)
		thread_name_update(fd, o->name);
	proc_file_release(&o->sampled->name, fd);
	if (o->pid == o->tid && strcmp(before, o->name) != 0)
		obstacles_look(o->pid, true); /* it has executed a program, or renamed itself */
}

/*
 * Begins with a thread. What it did before is not of this recording, unless it is new: then it ran
 * and waited for a processor just before now. If it has not run yet, how long it waits is not
 * counted: a later scan begins with it.
 */
static void thread_begin(struct observed *o, bool is_new)
{
	pid_t pid = (pid_t)o->pid, tid = (pid_t)o->tid;
	struct sampled_figures s = {.figures = proc_file_keep(pid, tid, "schedstat"),
				    .time = monotonic_now()};
	uint64_t figures[2];

	if (!figures_read(&s, figures) || (is_new && !figures[0] && !figures[1])) {
		proc_file_close(&s.figures);
		return;
	}
	s.name = proc_file_keep(pid, tid, "comm");
	if (is_new) {
		s.time -= (int64_t)(figures[0] + figures[1]);
		ran_sum += (int64_t)figures[0];
	} else {
		s.ran = figures[0];
		s.delayed = figures[1];
	}
	o->sampled = array_new(1, sizeof s);
	*o->sampled = s;
	observed_select(o);
	Started_StampAt((uint64_t)s.time, 0, processors_usable(pid));
	observed_select(NULL);
	if (is_new && o->pid == o->tid)
		obstacles_look(o->pid, true);
	o->sampled->unchanged = s.time;
}

/*
 * Whether figures are those of another thread: one that executes a program gets the number of the
 * first thread of its process. What it did before is logged as its own.
 */
static bool is_another(const struct sampled_figures *s, const uint64_t figures[2], int64_t time)
{
	return figures[0] < s->ran || figures[1] < s->delayed ||
	       (int64_t)(figures[0] - s->ran) > time - s->unchanged + LATE;
}

/*
 * Logs what a thread did since its last sample, if it did anything. As long as the figures stay the
 * same it is blocked, or waits for a processor: the kernel counts that wait at its end. So all that
 * it ran and waited is of the time before now, but for some milliseconds: the kernel counts running
 * up to the last tick of its timer.
 */
static void thread_sample(struct observed *o)
{
	struct sampled_figures *s = o->sampled;
	uint64_t figures[2], ran, delayed, all;
	int64_t time;

	if (!figures_read(s, figures))
		return;
	time = monotonic_now();
	if (is_another(s, figures, time)) {
		s->ran = figures[0];
		s->delayed = figures[1];
	}
	ran = figures[0] - s->ran;
	delayed = figures[1] - s->delayed;
	if (!ran && !delayed) {
		s->unchanged = time;
		return;
	}
	name_read(o);
	blocked_log(o, s->unchanged < time - (int64_t)(ran + delayed)
			   ? s->unchanged
			   : time - (int64_t)(ran + delayed));
	all = (uint64_t)(time - s->time);
	observed_select(o);
	ran_sum += (int64_t)ran;
	Sampled_StampAt((uint64_t)time, ran, delayed,
			all > ran + delayed ? all - ran - delayed : 0);
	observed_select(NULL);
	s->time = s->unchanged = time;
	s->ran = figures[0];
	s->delayed = figures[1];
}

bool sampling_open(const struct recording *r, int64_t now)
{
	struct observed *const *list;
	size_t n;

	every = r->every ? r->every : EVERY;
	next = now;
	ran_sum = 0;
	observed_at_end(sampled_end);
	observed_scan();
	list = observed_list(&n);
	for (size_t i = 0; i < n; i++)
		thread_begin(list[i], false);
	return n && list[0]->sampled;
}

int64_t sampling_step(int64_t now)
{
	struct observed *const *list;
	int64_t spent = clock_now(CLOCK_PROCESS_CPUTIME_ID);
	size_t n;

	if (now < next)
		return next;
	observed_scan();
	list = observed_list(&n);
	for (size_t i = 0; i < n; i++)
		if (list[i]->sampled)
			thread_sample(list[i]);
		else
			thread_begin(list[i], true);
	return next = now + observed_pause(every, clock_now(CLOCK_PROCESS_CPUTIME_ID) - spent);
}

int64_t sampling_ran(void)
{
	return ran_sum;
}
