#include "viewers/gorge/follow.h"
#include "viewers/gorge/revise.h"
#include <errno.h>
#include <signal.h>
#include <time.h>

/* Between two readings: half a second, and so many times as long as the last one took. */
enum { REST = 3 };
static const int64_t SECOND = 1000000000;

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static bool process_lives(const struct trace_process *p)
{
	return !p->ended && p->pid && (kill((pid_t)p->pid, 0) == 0 || errno == EPERM);
}

static bool any_lives(const struct trace *t)
{
	bool any = false;

	for (unsigned i = 0; i < t->nprocesses; i++)
		any |= process_lives(&t->processes[i]);
	return any;
}

static bool all_ended(const struct trace *t)
{
	bool all = true;

	for (unsigned i = 0; i < t->nprocesses; i++)
		all &= t->processes[i].ended;
	return all;
}

/* What was said of the logs when they were opened need not be said each time. */
static struct model *read_again(const struct session *s)
{
	const struct options *o = s->options;
	struct diag quiet = {.program = "gorge"};
	struct trace *t;

	if (s->definitions)
		return revise(o, s->definitions, &quiet);
	t = trace_open(o->directories, o->ndirectories, o->spec, &quiet);
	return t ? model_new(t, true) : NULL;
}

/* Logs that cannot be read at this moment may be at the next one. */
static void take_again(struct session *s)
{
	/* asked before the reading: what a program logged before it died is then read */
	bool lived = any_lives(s->model->trace);
	struct model *m = read_again(s);

	if (m) {
		session_replace(s, m);
		lived = lived && any_lives(m->trace);
	}
	if (!lived)
		s->run = all_ended(s->model->trace) ? RUN_ENDED : RUN_DIED;
	s->revision++;
}

void follow_begin(struct session *s)
{
	s->run = RUN_LIVE;
	s->next_reading = 0;
}

void follow_step(struct session *s)
{
	int64_t begun = now();

	if (s->run != RUN_LIVE || begun < s->next_reading)
		return;
	pthread_mutex_lock(&s->lock);
	take_again(s);
	for (unsigned i = 0; i < s->model->trace->spec->nintervals; i++)
		model_matches(s->model, s->model->trace->spec->intervals[i]);
	pthread_mutex_unlock(&s->lock);
	s->next_reading = now() + SECOND / 2 + REST * (now() - begun);
}
