/* Makes the times of stacks in the background. */
#include "base/array.h"
#include "trace/address.h"
#include "viewers/gorge/index/stack_times.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
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

struct stack_times *stack_times_hold(struct stack_times *s)
{
	s->holders++;
	return s;
}

void stack_times_release(struct stack_times *s)
{
	if (!s || --s->holders)
		return;
	time_window_free(s->window);
	free(s->threads);
	generation_release(s->generation);
	free(s);
}

/* What less of a thread's time is not in has no part in what its stacks have in common. */
static const double nearly_all = 0.98;

/* Returns the depth that leaves no more of the time in deeper frames than nearly_all allows. */
static unsigned usual_depth(const struct flame *f, const struct flame_amounts *amounts,
			    const uint32_t *depths, unsigned deepest)
{
	int64_t *own = array_zero((size_t)deepest + 1, sizeof *own), deeper = 0;
	double most = (1 - nearly_all) * (double)amounts[0].total;

	for (uint32_t i = 1; i < f->nodes.n; i++)
		own[depths[i]] += amounts[i].self;
	while (deepest > 1 && (double)(deeper + own[deepest]) <= most)
		deeper += own[deepest--];
	free(own);
	return deepest;
}

/* _start is linked into each program. */
static bool is_of_run_time(const struct flame_node *n)
{
	return module_is_of_run_time(n->origin) || strcmp(n->name, "_start") == 0;
}

static struct stack_depth depth_of(const struct flame *f, const struct flame_amounts *amounts,
				   uint32_t *depths)
{
	struct stack_depth d = {.first = 1};
	uint32_t common = 0, half = 0;

	for (uint32_t i = 1; i < f->nodes.n; i++) {
		uint32_t parent = f->nodes.at[i].parent;
		double share = (double)amounts[i].total / fmax(1, (double)amounts[0].total);

		depths[i] = depths[parent] + 1;
		if (amounts[i].total && depths[i] > d.depth)
			d.depth = depths[i];
		if (parent == common && share >= nearly_all)
			common = i;
		/* what the libraries do before the program begins is not in it */
		if (parent == half && share > 0.5 && (!half || is_of_run_time(&f->nodes.at[half])))
			half = i;
	}
	d.common = depths[common];
	if (half && !is_of_run_time(&f->nodes.at[half]))
		d.first = depths[half];
	d.usual = usual_depth(f, amounts, depths, d.depth);
	return d;
}

static struct stack_depth *depths_of(const struct trace *t, const struct time_window *w)
{
	const struct flame *f = time_window_flame(w, FLAME_CPU);
	struct stack_depth *depths = array_zero(t->nthreads, sizeof *depths);
	uint32_t *scratch = array_zero(f->nodes.n, sizeof *scratch);
	bool *one = array_zero(t->nthreads, sizeof *one);
	struct flame_part part = {INT64_MIN, INT64_MAX, one};

	for (unsigned i = 0; i < t->nthreads; i++) {
		struct flame_amounts *amounts;

		if (!time_window_sampled(w, i))
			continue;
		one[i] = true;
		amounts = time_window_amounts(w, FLAME_CPU, &part);
		one[i] = false;
		depths[i] = depth_of(f, amounts, scratch);
		free(amounts);
	}
	free(scratch);
	free(one);
	return depths;
}

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
	made->threads = depths_of(generation_trace(made->generation), made->window);
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
		array_fail("no thread can be started");
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

static struct timespec stacks_soon(long milliseconds)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += milliseconds % 1000 * 1000000;
	t.tv_sec += milliseconds / 1000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

struct stack_times *trace_index_stacks(struct trace_index *t, long patience, bool *pending)
{
	struct timespec end = stacks_soon(patience < 0 ? 0 : patience);
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
