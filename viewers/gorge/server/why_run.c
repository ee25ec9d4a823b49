#include "viewers/gorge/server/why_run.h"
#include "base/array.h"
#include "base/deadline.h"
#include "base/monotonic.h"
#include "base/task.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/index/generation.h"
#include "viewers/gorge/query/found_why.h"
#include "viewers/gorge/server/reopen.h"
#include <stdlib.h>
#include <time.h>

/* Milliseconds between two looks, of who waits and of the search at the matcher. */
enum { LOOK = 50 };
/* Between two searches of a program that runs: so many times what the last one took. */
enum { REST = 3 };

struct why_run {
	pthread_mutex_t lock;
	pthread_cond_t ended;
	unsigned holders;          /* the session, and the thread while it runs */
	struct trace_index *index; /* what is searched stays as long as the thread needs it */
	struct generation *generation;
	struct log_source source; /* of a program that runs: its logs are opened once more */
	char *directory;
	int64_t begun, took; /* ns */
	struct task task;
	struct found_why *found; /* NULL until it has ended */
};

static void run_leave(struct why_run *r)
{
	bool last;

	pthread_mutex_lock(&r->lock);
	last = --r->holders == 0;
	pthread_mutex_unlock(&r->lock);
	if (!last)
		return;
	found_why_free(r->found);
	free(r->directory);
	pthread_cond_destroy(&r->ended);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

/* A trace of its own: the one that is shown grows meanwhile. */
static struct found_why *search_so_far(struct why_run *r)
{
	struct diag quiet = {.program = "gorge"};
	struct trace *t = reopen_trace(&r->source, r->source.spec, &quiet);
	struct found_why *found;

	if (!t)
		return array_zero(1, sizeof *found);
	task_current = &r->task;
	found = found_why_new(t, &(struct window){.to = t->duration}, r->directory);
	task_current = NULL;
	trace_close(t);
	return found;
}

static struct found_why *search_shown(struct why_run *r)
{
	struct matcher *m = r->index->matcher;
	struct trace *t = generation_trace(r->generation);
	struct found_why *found;

	/* Leaves the matcher alone while it has something to find: the picture comes first. */
	while (matcher_state(m).searching && !r->task.stopped)
		nanosleep(&(struct timespec){.tv_nsec = LOOK * 1000000}, NULL);
	matcher_lend(m);
	matcher_lock(m);
	task_current = &r->task;
	found = found_why_new(t, &(struct window){.to = t->duration}, r->directory);
	task_current = NULL;
	matcher_unlock(m);
	generation_release(r->generation);
	trace_index_free(r->index);
	return found;
}

static void *run_search(void *context)
{
	struct why_run *r = context;
	struct found_why *found;

	thread_give_way();
	found = r->index ? search_shown(r) : search_so_far(r);
	pthread_mutex_lock(&r->lock);
	r->found = found;
	r->took = monotonic_now() - r->begun;
	pthread_cond_broadcast(&r->ended);
	pthread_mutex_unlock(&r->lock);
	run_leave(r);
	return NULL;
}

/* Searches at once if no thread can be started. */
static void run_begin(struct why_run *r)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_search, r) == 0)
		pthread_detach(thread);
	else
		run_search(r);
}

static struct why_run *run_new(const struct session *common)
{
	struct why_run *r = array_zero(1, sizeof *r);

	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->ended, NULL);
	r->holders = 2;
	r->begun = monotonic_now();
	r->directory = text_format("%s", common->source->directories[0]);
	return r;
}

struct why_run *why_run_of(struct session *common)
{
	struct why_run *r = common->why;

	if (r)
		return r;
	r = run_new(common);
	r->index = trace_index_hold(common->index);
	r->generation = generation_hold(common->index->generation);
	common->why = r;
	run_begin(r);
	return r;
}

static void so_far_begin(struct session *common)
{
	common->searching = run_new(common);
	common->searching->source = *common->source;
	common->searching->source.follow = false;
	run_begin(common->searching);
}

const struct found_why *why_run_so_far(struct session *common)
{
	struct why_run *last = common->so_far;
	double done;

	if (common->searching && why_run_look(common->searching, &done)) {
		why_run_release(last);
		common->so_far = last = common->searching;
		common->searching = NULL;
	}
	if (!common->searching &&
	    (!last || monotonic_now() > last->begun + (1 + REST) * last->took))
		so_far_begin(common);
	return last ? why_run_look(last, &done) : NULL;
}

void why_run_release(struct why_run *r)
{
	if (!r)
		return;
	r->task.stopped = true;
	run_leave(r);
}

const struct found_why *why_run_look(struct why_run *r, double *done)
{
	const struct found_why *found;

	pthread_mutex_lock(&r->lock);
	found = r->found;
	pthread_mutex_unlock(&r->lock);
	*done = r->task.all ? (double)r->task.done / (double)r->task.all : 0;
	return found;
}

const struct found_why *why_run_await(struct why_run *r)
{
	const struct found_why *found;

	pthread_mutex_lock(&r->lock);
	while (!r->found && !task_stopped()) {
		struct timespec until = deadline_after(CLOCK_REALTIME, LOOK);

		if (task_current) {
			task_current->all = r->task.all;
			task_current->done = r->task.done;
		}
		pthread_cond_timedwait(&r->ended, &r->lock, &until);
	}
	found = r->found;
	pthread_mutex_unlock(&r->lock);
	return found;
}
