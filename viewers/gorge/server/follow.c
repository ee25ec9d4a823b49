#include "viewers/gorge/server/follow.h"
#include "base/array.h"
#include "base/monotonic.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/server/reopen.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

/* Between two readings, and between two searches: so long, and so many times as long as the last one took. */
enum { REST = 3 };
static const int64_t SECOND = 1000000000, READING_REST = SECOND / 4, SEARCH_REST = SECOND / 2;

/* When it was begun last, and when it is time for the next one. */
struct turn {
	int64_t begun, next;
};

struct follower {
	struct session *session;
	struct turn reading, searching;
	/* What was read and is not shown yet: an age of the model that was shown then, or another model. */
	struct generation *generation;
	unsigned models;
	struct trace_index *anew;
	bool over;              /* what the programs logged last is read, or being read */
};

static void turn_end(struct turn *t, int64_t rest)
{
	if (t->begun)
		t->next = monotonic_now() + rest + REST * (monotonic_now() - t->begun);
	t->begun = 0;
}

/* ---- the programs ---- */

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

/* ---- what is shown ---- */

/*
 * Whether the model may be changed: nobody asks anything of it then. Questions that take long are not
 * waited for.
 */
static bool session_begin(struct session *s, struct queued_request *turn)
{
	if (!request_queue_try(s->queue, turn))
		return false;
	pthread_mutex_lock(&s->lock);
	session_change(s);
	return true;
}

static void session_end(struct session *s, struct queued_request *turn)
{
	s->revision++;
	pthread_mutex_unlock(&s->lock);
	request_queue_leave(s->queue, turn);
}

static struct matcher_state age_of(const struct trace_index *m)
{
	return matcher_state(m->matcher);
}

/* The definitions may have been changed since it was read. */
static void show_age(struct follower *f)
{
	struct session *s = f->session;
	struct queued_request turn = {.page = NULL};

	if (!session_begin(s, &turn))
		return;
	if (f->models == s->models)
		trace_index_grow(s->index, f->generation);
	else
		generation_release(f->generation);
	f->generation = NULL;
	session_end(s, &turn);
}

/* When its intervals are found, so that none goes that was shown. */
static void show_anew(struct follower *f)
{
	struct session *s = f->session;
	struct queued_request turn = {.page = NULL};

	if (age_of(f->anew).searching || !session_begin(s, &turn))
		return;
	if (f->models == s->models)
		session_replace(s, f->anew);
	else
		trace_index_free(f->anew);
	f->anew = NULL;
	if (f->over)
		s->run = all_ended(s->index->trace) ? RUN_ENDED : RUN_DIED;
	session_end(s, &turn);
	turn_end(&f->reading, READING_REST);
}

static void show_found(struct follower *f)
{
	struct session *s = f->session;
	struct queued_request turn = {.page = NULL};

	if (!session_begin(s, &turn))
		return;
	trace_index_renew(s->index);
	session_end(s, &turn);
}

/* ---- reading ---- */

/* What was said of the logs when they were opened need not be said each time. */
static struct trace_index *read_all(const struct options *o, const char *definitions)
{
	struct diag quiet = {.program = "gorge"};
	struct trace *t;

	if (definitions)
		return reopen_model(o, NULL, definitions, &quiet);
	t = reopen_trace(o, o->spec, &quiet);
	return t ? trace_index_new(t, &quiet) : NULL;
}

/* Logs that cannot be read at this moment may be at the next one. */
static void read_anew(struct follower *f, const char *definitions)
{
	f->anew = read_all(f->session->options, definitions);
	if (f->anew)
		matcher_begin(f->anew->matcher);
	else
		turn_end(&f->reading, READING_REST);
}

/* An age in which nothing was logged is none. */
static bool read_on(struct follower *f, struct generation *before)
{
	struct generation *next = generation_next(before);

	if (!next)
		return false;
	if (generation_trace(next)->events == generation_trace(before)->events &&
	    generation_trace(next)->nthreads == generation_trace(before)->nthreads)
		generation_release(next);
	else
		f->generation = next;
	turn_end(&f->reading, READING_REST);
	return true;
}

/*
 * Whether they live is asked before the reading: what they logged before they died is then read. At their
 * end all is read once more, with the time as it was measured in the whole run.
 */
static void read_more(struct follower *f)
{
	struct session *s = f->session;
	struct generation *before;
	char *definitions;

	pthread_mutex_lock(&s->lock);
	f->models = s->models;
	before = generation_hold(s->index->generation);
	definitions = s->definitions ? text_format("%s", s->definitions) : NULL;
	f->over = !any_lives(s->index->trace);
	pthread_mutex_unlock(&s->lock);
	f->reading.begun = monotonic_now();
	if (f->over || !read_on(f, before))
		read_anew(f, definitions);
	generation_release(before);
	free(definitions);
}

static void search(struct follower *f, struct trace_index *m)
{
	struct matcher_state generation = age_of(m);

	if (generation.searching)
		return;
	turn_end(&f->searching, SEARCH_REST);
	if (generation.renewed) {
		show_found(f);
	} else if (generation.old && monotonic_now() >= f->searching.next) {
		f->searching.begun = monotonic_now();
		matcher_again(m->matcher);
	}
}

struct follower *follower_new(struct session *s)
{
	struct follower *f = array_zero(1, sizeof *f);

	f->session = s;
	s->run = RUN_LIVE;
	return f;
}

void follower_free(struct follower *f)
{
	if (!f)
		return;
	generation_release(f->generation);
	trace_index_free(f->anew);
	free(f);
}

/* Nobody but this thread and a change of the definitions replaces the model: that is held while it is looked at. */
void follower_step(struct follower *f)
{
	struct session *s = f->session;
	struct trace_index *m;

	if (f->anew)
		show_anew(f);
	else if (f->generation)
		show_age(f);
	else if (s->run == RUN_LIVE && monotonic_now() >= f->reading.next)
		read_more(f);
	if (s->run != RUN_LIVE || f->anew)
		return;
	pthread_mutex_lock(&s->lock);
	m = trace_index_hold(s->index);
	pthread_mutex_unlock(&s->lock);
	search(f, m);
	trace_index_free(m);
}
