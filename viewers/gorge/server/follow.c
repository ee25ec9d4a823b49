#include "viewers/gorge/server/follow.h"
#include "base/array.h"
#include "base/monotonic.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/server/reopen.h"
#include "viewers/gorge/server/request_queue.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

/* The rest between two readings, or two searches: a time, and REST times what the last one took. */
enum { REST = 3 };
static const int64_t SECOND = 1000000000, READING_REST = SECOND / 4, SEARCH_REST = SECOND / 2;

/* When something was begun last, and when it is to be begun again. */
struct follow_schedule {
	int64_t begun, next;
};

struct follower {
	struct session *session;
	struct follow_schedule reading, searching;
	/*
	 * What was read and is not shown yet: a generation of the index shown then, or another
	 * index.
	 */
	struct generation *generation;
	unsigned replaced; /* of the session then */
	struct trace_index *index;
	bool over; /* the programs' last events are read, or being read */
};

static void schedule_end(struct follow_schedule *t, int64_t rest)
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
 * Begins a change of the index. Returns false while a request that takes long uses it: that is not
 * waited for.
 */
static bool change_begin(struct session *s, struct queued_request *turn)
{
	if (!request_queue_try(s->queue, turn))
		return false;
	pthread_mutex_lock(&s->lock);
	session_change(s);
	return true;
}

static void change_end(struct session *s, struct queued_request *turn)
{
	s->revision++;
	pthread_mutex_unlock(&s->lock);
	request_queue_leave(s->queue, turn);
}

/* Shows a generation; the definitions may have been changed since it was read. */
static void show_generation(struct follower *f)
{
	struct session *s = f->session;
	struct queued_request turn = {.page = NULL};

	if (!change_begin(s, &turn))
		return;
	if (f->replaced == s->replaced)
		trace_index_grow(s->index, f->generation);
	else
		generation_release(f->generation);
	f->generation = NULL;
	change_end(s, &turn);
}

/* Waits until the new index has its intervals, so that none disappears. */
static void show_index(struct follower *f)
{
	struct session *s = f->session;
	struct queued_request turn = {.page = NULL};

	if (matcher_state(f->index->matcher).searching || !change_begin(s, &turn))
		return;
	if (f->replaced == s->replaced)
		session_replace(s, f->index);
	else
		trace_index_free(f->index);
	f->index = NULL;
	if (f->over)
		s->run = all_ended(s->index->trace) ? RUN_ENDED : RUN_DIED;
	change_end(s, &turn);
	schedule_end(&f->reading, READING_REST);
}

static void show_found(struct follower *f)
{
	struct session *s = f->session;
	struct queued_request turn = {.page = NULL};

	if (!change_begin(s, &turn))
		return;
	trace_index_renew(s->index);
	change_end(s, &turn);
}

/* ---- reading ---- */

/* Messages about the logs were given when they were opened first. */
static struct trace_index *follow_read_all(const struct log_source *source, const char *definitions)
{
	struct diag quiet = {.program = "gorge"};
	struct trace *t;

	if (definitions)
		return reopen_index(source, NULL, definitions, &quiet);
	t = reopen_trace(source, source->spec, &quiet);
	return t ? trace_index_new(t, &quiet) : NULL;
}

/* Logs that cannot be read now may be readable later. */
static void read_anew(struct follower *f, const char *definitions)
{
	f->index = follow_read_all(f->session->source, definitions);
	if (f->index)
		matcher_begin(f->index->matcher);
	else
		schedule_end(&f->reading, READING_REST);
}

/* Reads on, and drops a generation without new events. Returns false if all has to be read anew. */
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
	schedule_end(&f->reading, READING_REST);
	return true;
}

/*
 * Asks whether the programs live before it reads, and thus gets what they logged before they died.
 * At their end all is read once more, with the times of the whole run's clock.
 */
static void read_more(struct follower *f)
{
	struct session *s = f->session;
	struct generation *before;
	char *definitions;

	pthread_mutex_lock(&s->lock);
	f->replaced = s->replaced;
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
	struct matcher_state state = matcher_state(m->matcher);

	if (state.searching)
		return;
	schedule_end(&f->searching, SEARCH_REST);
	if (state.renewed) {
		show_found(f);
	} else if (state.old && monotonic_now() >= f->searching.next) {
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
	trace_index_free(f->index);
	free(f);
}

/* Holds the index while it is used, as a change of the definitions may replace it. */
void follower_step(struct follower *f)
{
	struct session *s = f->session;
	struct trace_index *m;

	if (f->index)
		show_index(f);
	else if (f->generation)
		show_generation(f);
	else if (s->run == RUN_LIVE && monotonic_now() >= f->reading.next)
		read_more(f);
	if (s->run != RUN_LIVE || f->index)
		return;
	pthread_mutex_lock(&s->lock);
	m = trace_index_hold(s->index);
	pthread_mutex_unlock(&s->lock);
	search(f, m);
	trace_index_free(m);
}
