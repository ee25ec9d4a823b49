/* Makes the times of stacks in the background. */
#include "base/array.h"
#include "base/deadline.h"
#include "viewers/gorge/index/stack_times.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct stack_finder {
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t found_one;
	pthread_t thread;
	bool started, running; /* started: the thread is still to be joined */
	struct matcher *matcher;
	struct generation *wanted; /* what the thread makes them of */
	struct stack_times *found; /* the newest; NULL: not yet */
};

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

static void *stacks_find(void *argument)
{
	struct stack_finder *f = argument;
	struct stack_times *made = array_zero(1, sizeof *made), *before;

	made->holders = 1;
	made->generation = f->wanted;
	matcher_lend(f->matcher);
	matcher_lock(f->matcher);
	made->window = time_window_of(generation_trace(made->generation));
	matcher_unlock(f->matcher);
	made->threads = stack_depths_of(generation_trace(made->generation), made->window);
	pthread_mutex_lock(&f->lock);
	before = f->found;
	f->found = made;
	f->running = false;
	pthread_cond_broadcast(&f->found_one);
	pthread_mutex_unlock(&f->lock);
	stack_times_release(before);
	return NULL;
}

static bool is_newest(const struct stack_finder *f, const struct trace_index *t)
{
	return f->found && f->found->generation == t->generation;
}

static void stacks_join(struct stack_finder *f)
{
	if (f->started)
		pthread_join(f->thread, NULL);
	f->started = false;
}

static void stacks_start(struct stack_finder *f, struct trace_index *t)
{
	stacks_join(f);
	f->matcher = t->matcher;
	f->wanted = generation_hold(t->generation);
	f->started = f->running = true;
	if (pthread_create(&f->thread, NULL, stacks_find, f) != 0)
		array_fail("cannot start a thread");
}

static struct stack_finder *finder_of(struct trace_index *t)
{
	pthread_mutex_lock(&starting);
	if (!t->stacks) {
		t->stacks = array_zero(1, sizeof *t->stacks);
		pthread_mutex_init(&t->stacks->lock, NULL);
		pthread_cond_init(&t->stacks->found_one, NULL);
	}
	pthread_mutex_unlock(&starting);
	return t->stacks;
}

struct stack_times *trace_index_stacks(struct trace_index *t, long patience, bool *pending)
{
	struct timespec end = deadline_after(CLOCK_REALTIME, patience < 0 ? 0 : patience);
	struct stack_finder *f = finder_of(t);
	struct stack_times *found;
	int failed = 0;

	pthread_mutex_lock(&f->lock);
	while (!is_newest(f, t) && failed != ETIMEDOUT) {
		if (!f->running)
			stacks_start(f, t);
		failed = patience < 0 ? pthread_cond_wait(&f->found_one, &f->lock)
				      : pthread_cond_timedwait(&f->found_one, &f->lock, &end);
	}
	found = f->found ? stack_times_hold(f->found) : NULL;
	if (pending)
		*pending = !is_newest(f, t);
	pthread_mutex_unlock(&f->lock);
	return found;
}

void trace_index_forget_stacks(struct trace_index *t)
{
	struct stack_finder *f = t->stacks;

	if (!f)
		return;
	stacks_join(f);
	stack_times_release(f->found);
	pthread_cond_destroy(&f->found_one);
	pthread_mutex_destroy(&f->lock);
	free(f);
	t->stacks = NULL;
}
