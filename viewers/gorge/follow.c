#include "viewers/gorge/follow.h"
#include "viewers/gorge/pyramid.h"
#include "viewers/gorge/revise.h"
#include "viewers/gorge/searcher.h"
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
		model_search(m);
		session_replace(s, m);
		lived = lived && any_lives(m->trace);
	}
	if (!lived)
		s->run = all_ended(s->model->trace) ? RUN_ENDED : RUN_DIED;
	s->revision++;
}

/* Whether instances are still being looked for: another reading would only begin that anew. */
static bool is_searching(const struct model *m)
{
	const struct spec *spec = m->trace->spec;
	bool any = false;

	for (unsigned i = 0; m->pyramid && i < spec->nintervals; i++)
		any |= searcher_seeks(pyramid_searcher(m->pyramid), spec->intervals[i]);
	return any;
}

/* What was read last is all found: now rest. */
static void plan_next(struct session *s, int64_t t)
{
	if (s->reading_begun)
		s->next_reading = t + SECOND / 2 + REST * (t - s->reading_begun);
	s->reading_begun = 0;
}

void follow_begin(struct session *s)
{
	s->run = RUN_LIVE;
}

void follow_step(struct session *s)
{
	int64_t t = now();

	if (s->run != RUN_LIVE)
		return;
	pthread_mutex_lock(&s->lock);
	if (!is_searching(s->model)) {
		plan_next(s, t);
		if (t >= s->next_reading) {
			s->reading_begun = t;
			take_again(s);
		}
	}
	pthread_mutex_unlock(&s->lock);
}
