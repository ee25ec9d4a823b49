/*
 * Finds the instances of a trace's intervals in a thread of its own, one interval after the other,
 * and stacks those that are shown.
 */
#include "viewers/gorge/index/matcher.h"
#include "base/array.h"
#include "base/deadline.h"
#include "spec/equal.h"
#include "viewers/gorge/index/layer.h"
#include "viewers/gorge/index/stacking.h"
#include "viewers/gorge/logs/memory_budget.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The right to match in a trace, which matchers may share. */
struct matching {
	atomic_uint holders;
	bool shared; /* some matcher may have something of the lists: nobody drops them */
	pthread_mutex_t lock;
};

struct matcher {
	const struct spec *spec;
	struct matching *matching; /* held while something is matched in the trace */
	pthread_mutex_t lock;      /* of what follows */
	pthread_cond_t changed;
	struct generation *generation;
	struct searched *searches; /* by interval.index */
	uint64_t waits;
	bool running, abandoned; /* the thread; abandoned: it frees the matcher at its end */
	bool finishing;          /* finds all that is wanted before it stacks anything */
	bool retired;            /* another matcher has the instances, and stacks them */
	bool lent;               /* somebody may have something of the trace's event lists */
};

/* What is known of one interval. */
struct searched {
	struct instances *found;      /* given out; NULL: not found yet */
	struct instances *renewed;    /* found since, for a newer generation; or NULL */
	uint64_t events;              /* generation_events() when the newer ones were found */
	int64_t until, until_renewed; /* the trace's duration when found and renewed were */
	uint64_t wanted;              /* the greatest comes first; 0: not wanted */
	bool outdated;                /* to be found again */
	bool shown;                   /* to be stacked with the others that are */
};

/* ---- in the background; all of it under the lock ---- */

/* How far the thread gives way to pictures: see nice(2). */
enum { NICE = 10 };

/* Intervals that were never found come before those that are to be found again. */
static const struct interval *next_wanted(const struct matcher *m)
{
	const struct searched *next = NULL, *end = m->searches + m->spec->nintervals;

	for (const struct searched *i = m->searches; i < end; i++)
		if (i->wanted && !i->found && (!next || i->wanted > next->wanted))
			next = i;
	for (const struct searched *i = m->searches; i < end && !next; i++)
		if (i->outdated)
			next = i;
	return next ? m->spec->intervals[next - m->searches] : NULL;
}

/* Instances to be stacked together, which are held. */
struct set {
	struct instances **of;
	unsigned n;
};

static void set_add(struct set *set, struct instances *n)
{
	if (n)
		set->of[set->n++] = instances_hold(n);
}

static struct set set_new(const struct matcher *m)
{
	return (struct set){.of = array_zero(m->spec->nintervals, sizeof(struct instances *))};
}

static struct set shown_set(const struct matcher *m)
{
	struct set set = set_new(m);

	for (unsigned i = 0; i < m->spec->nintervals; i++)
		if (m->searches[i].shown)
			set_add(&set, m->searches[i].found);
	return set;
}

/* Returns those that are shown with what was just found; with renewed ones, renewed ones. */
static struct set shown_with(const struct matcher *m, const struct searched *now,
			     struct instances *found)
{
	struct set set = set_new(m);

	for (const struct searched *i = m->searches; i < m->searches + m->spec->nintervals; i++)
		if (i == now)
			set_add(&set, found);
		else if (i->shown && now->shown)
			set_add(&set, now->found ? i->renewed : i->found);
	return set;
}

static void set_free(struct set *set)
{
	for (unsigned i = 0; i < set->n; i++)
		instances_free(set->of[i]);
	free(set->of);
}

static bool is_stacked(const struct matcher *m)
{
	struct set set = shown_set(m);
	bool made = stacking_is_made(generation_index(m->generation), set.of, set.n);

	set_free(&set);
	return made;
}

/* Stacks a set, without the lock meanwhile. */
static void stack_set(struct matcher *m, struct set *set)
{
	struct generation *generation = generation_hold(m->generation);

	pthread_mutex_unlock(&m->lock);
	stacking_make(generation_index(generation), set->of, set->n);
	set_free(set);
	generation_release(generation);
	pthread_mutex_lock(&m->lock);
}

/*
 * Keeps what was found; what was found before may be in use, and is not replaced before
 * matcher_renew().
 */
static void keep_found(struct matcher *m, struct searched *i, struct instances *found)
{
	i->events = generation_events(found->generation, found->interval);
	i->outdated = false;
	if (i->found) {
		instances_free(i->renewed);
		i->renewed = found;
		i->until_renewed = generation_trace(found->generation)->duration;
		return;
	}
	i->until = generation_trace(found->generation)->duration;
	instances_renew(found, m->generation, found->interval);
	i->found = found;
}

static uint64_t begin_budget(struct matcher *m, struct trace *t, const struct interval *interval)
{
	uint64_t limit;

	pthread_mutex_lock(&m->lock);
	limit = memory_budget_begin(t, interval, m->lent);
	pthread_mutex_unlock(&m->lock);
	return limit;
}

static void matcher_find_instances(struct matcher *m, const struct interval *interval)
{
	struct searched *i = &m->searches[interval->index];
	struct generation *generation = generation_hold(m->generation);
	struct instances *found;
	struct set set;
	uint64_t limit;

	pthread_mutex_unlock(&m->lock);
	matcher_lock(m);
	limit = begin_budget(m, generation_trace(generation), interval);
	found = instances_new(generation, interval);
	memory_budget_end(limit);
	matcher_unlock(m);
	pthread_mutex_lock(&m->lock);
	if (!m->abandoned && !m->finishing) {
		set = shown_with(m, i, found);
		stack_set(m, &set);
	}
	keep_found(m, i, found);
	generation_release(generation);
}

/* Finds or stacks something. Returns false if there is nothing left to do. */
static bool work_step(struct matcher *m)
{
	const struct interval *next = next_wanted(m);
	bool stacked = is_stacked(m);
	struct set set;

	if (stacked && !next)
		return false;
	if (next && (stacked || m->finishing)) {
		matcher_find_instances(m, next);
	} else {
		set = shown_set(m);
		stack_set(m, &set);
	}
	pthread_cond_broadcast(&m->changed);
	return true;
}

static struct matching *matching_new(void)
{
	struct matching *n = array_zero(1, sizeof *n);

	n->holders = 1;
	pthread_mutex_init(&n->lock, NULL);
	return n;
}

static void matching_release(struct matching *n)
{
	if (--n->holders)
		return;
	pthread_mutex_destroy(&n->lock);
	free(n);
}

/* Instances that others hold keep the generation, which needs no lists of events any more. */
static void destroy(struct matcher *m)
{
	if (!m->matching->shared)
		trace_forget_events(generation_trace(m->generation));
	for (unsigned i = 0; i < m->spec->nintervals; i++) {
		instances_free(m->searches[i].found);
		instances_free(m->searches[i].renewed);
	}
	matching_release(m->matching);
	pthread_mutex_destroy(&m->lock);
	pthread_cond_destroy(&m->changed);
	free(m->searches);
	generation_release(m->generation);
	free(m);
}

static void *work_thread(void *context)
{
	struct matcher *m = context;
	bool abandoned;

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
	pthread_mutex_lock(&m->lock);
	while (!m->abandoned && work_step(m))
		;
	m->running = m->finishing = false;
	abandoned = m->abandoned;
	pthread_mutex_unlock(&m->lock);
	if (abandoned)
		destroy(m);
	return NULL;
}

/* Starts the thread that matches; if none can be made, the caller does its work. */
static void start_thread(struct matcher *m)
{
	pthread_attr_t detached;
	pthread_t thread;

	if (m->running || (!next_wanted(m) && is_stacked(m)))
		return;
	m->running = true;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &detached, work_thread, m) != 0) {
		work_step(m);
		m->running = false;
	}
	pthread_attr_destroy(&detached);
}

/* Finds and stacks all in the thread of the caller, once, as no picture shows a part of it. */
static void finish_here(struct matcher *m)
{
	m->finishing = true;
	if (m->running)
		return;
	m->running = true;
	while (work_step(m))
		;
	m->running = m->finishing = false;
}

/* ---- for those who wait ---- */

/* How much an interval is wanted that nobody waits for. */
enum { ASKED_FOR = 1 };

static void want(struct matcher *m, const struct interval *interval, uint64_t rank)
{
	struct searched *i = &m->searches[interval->index];

	i->wanted = i->wanted > rank ? i->wanted : rank;
}

/* Shares the instances of the same definition; once, for nothing is stacked with itself. */
static void adopt_instances(struct matcher *m, unsigned index, struct matcher *before, bool *taken)
{
	for (unsigned i = 0; i < before->spec->nintervals; i++) {
		const struct searched *b = &before->searches[i];
		if (!b->found || taken[i] ||
		    !intervals_equal(before->spec->intervals[i], m->spec->intervals[index]))
			continue;
		taken[i] = true;
		m->searches[index] = *b;
		m->searches[index].found = instances_hold(b->found);
		m->searches[index].renewed = instances_hold(b->renewed);
		m->searches[index].outdated = false;
		return;
	}
}

static void adopt_all(struct matcher *m, struct matcher *before)
{
	bool *taken = array_zero(before->spec->nintervals, sizeof *taken);

	pthread_mutex_lock(&before->lock);
	before->retired = true;
	for (unsigned i = 0; i < before->spec->nintervals; i++)
		before->searches[i].shown = false;
	for (unsigned i = 0; i < m->spec->nintervals; i++)
		adopt_instances(m, i, before, taken);
	pthread_mutex_unlock(&before->lock);
	free(taken);
}

struct matcher *matcher_new(struct generation *g, struct matcher *before)
{
	struct matcher *m = array_zero(1, sizeof *m);
	pthread_condattr_t monotonic;

	m->spec = generation_trace(g)->spec;
	m->generation = generation_hold(g);
	m->searches = array_zero(m->spec->nintervals, sizeof *m->searches);
	m->matching = matching_new();
	pthread_mutex_init(&m->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&m->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (before)
		adopt_all(m, before);
	return m;
}

void matcher_begin(struct matcher *m)
{
	unsigned layers;

	layers_read(NULL, &layers);
	pthread_mutex_lock(&m->lock);
	for (unsigned i = 0; i < m->spec->nintervals; i++)
		if (layers_show_interval(generation_trace(m->generation), layers,
					 m->spec->intervals[i]))
			want(m, m->spec->intervals[i], ASKED_FOR);
	start_thread(m);
	pthread_mutex_unlock(&m->lock);
}

void matcher_free(struct matcher *m)
{
	bool running;

	pthread_mutex_lock(&m->lock);
	m->abandoned = running = m->running;
	pthread_mutex_unlock(&m->lock);
	if (!running)
		destroy(m);
}

struct instances *matcher_get(struct matcher *m, const struct interval *interval)
{
	struct instances *found;

	pthread_mutex_lock(&m->lock);
	want(m, interval, ASKED_FOR);
	found = m->searches[interval->index].found;
	if (!found)
		start_thread(m);
	pthread_mutex_unlock(&m->lock);
	return found;
}

static unsigned count_missing(const struct matcher *m, const bool *intervals)
{
	unsigned missing = 0;

	for (unsigned i = 0; i < m->spec->nintervals; i++)
		missing += intervals[i] && !m->searches[i].found;
	return missing;
}

static void want_all(struct matcher *m, const bool *intervals)
{
	m->waits++;
	for (unsigned i = 0; i < m->spec->nintervals; i++)
		if (intervals[i])
			want(m, m->spec->intervals[i], ASKED_FOR + m->waits);
}

/* Waits for a change. Returns false when it is too late for one; end: NULL to wait for ever. */
static bool wait_some(struct matcher *m, const struct timespec *end)
{
	if (end)
		return pthread_cond_timedwait(&m->changed, &m->lock, end) == 0;
	return pthread_cond_wait(&m->changed, &m->lock) == 0;
}

unsigned matcher_wait(struct matcher *m, const bool *intervals, long milliseconds)
{
	struct timespec end = deadline_after(CLOCK_MONOTONIC, milliseconds < 0 ? 0 : milliseconds);
	unsigned missing;

	pthread_mutex_lock(&m->lock);
	want_all(m, intervals);
	if (count_missing(m, intervals))
		start_thread(m);
	while ((missing = count_missing(m, intervals)) &&
	       wait_some(m, milliseconds < 0 ? NULL : &end))
		;
	pthread_mutex_unlock(&m->lock);
	return missing;
}

void matcher_show(struct matcher *m, const bool *intervals, long milliseconds)
{
	struct timespec end = deadline_after(CLOCK_MONOTONIC, milliseconds < 0 ? 0 : milliseconds);

	pthread_mutex_lock(&m->lock);
	for (unsigned i = 0; i < m->spec->nintervals; i++)
		m->searches[i].shown = intervals[i] && !m->retired;
	want_all(m, intervals);
	if (milliseconds < 0)
		finish_here(m);
	else
		start_thread(m);
	while ((count_missing(m, intervals) || !is_stacked(m)) &&
	       wait_some(m, milliseconds < 0 ? NULL : &end))
		;
	pthread_mutex_unlock(&m->lock);
}

struct instances *matcher_await(struct matcher *m, const struct interval *interval)
{
	bool *one = array_zero(m->spec->nintervals, sizeof *one);

	one[interval->index] = true;
	matcher_wait(m, one, -1);
	free(one);
	return matcher_get(m, interval);
}

bool matcher_seeks(struct matcher *m, const struct interval *interval)
{
	const struct searched *i = &m->searches[interval->index];
	bool seeks;

	pthread_mutex_lock(&m->lock);
	seeks = i->wanted && !i->found;
	seeks |= i->shown && !is_stacked(m);
	pthread_mutex_unlock(&m->lock);
	return seeks;
}

void matcher_lend(struct matcher *m)
{
	pthread_mutex_lock(&m->lock);
	m->lent = true;
	pthread_mutex_unlock(&m->lock);
}

void matcher_join(struct matcher *m, struct matcher *with)
{
	matching_release(m->matching);
	m->matching = with->matching;
	m->matching->holders++;
	m->matching->shared = true;
	matcher_lend(m);
}

void matcher_lock(struct matcher *m)
{
	pthread_mutex_lock(&m->matching->lock);
}

void matcher_unlock(struct matcher *m)
{
	pthread_mutex_unlock(&m->matching->lock);
}

/* ---- of a trace that grows ---- */

void matcher_grow(struct matcher *m, struct generation *g)
{
	pthread_mutex_lock(&m->lock);
	generation_release(m->generation);
	m->generation = generation_hold(g);
	stacking_pause();
	for (unsigned i = 0; i < m->spec->nintervals; i++)
		if (m->searches[i].found)
			instances_renew(m->searches[i].found, g, m->spec->intervals[i]);
	stacking_resume();
	pthread_mutex_unlock(&m->lock);
}

static bool is_outdated(const struct matcher *m, unsigned i)
{
	uint64_t events = generation_events(m->generation, m->spec->intervals[i]);

	return m->searches[i].found && m->searches[i].events != events;
}

void matcher_again(struct matcher *m)
{
	pthread_mutex_lock(&m->lock);
	for (unsigned i = 0; i < m->spec->nintervals; i++)
		m->searches[i].outdated = is_outdated(m, i);
	start_thread(m);
	pthread_mutex_unlock(&m->lock);
}

void matcher_renew(struct matcher *m)
{
	pthread_mutex_lock(&m->lock);
	for (unsigned i = 0; i < m->spec->nintervals; i++) {
		struct searched *search = &m->searches[i];
		if (!search->renewed)
			continue;
		instances_free(search->found);
		search->found = search->renewed;
		search->renewed = NULL;
		search->until = search->until_renewed;
		instances_renew(search->found, m->generation, m->spec->intervals[i]);
	}
	start_thread(m);
	pthread_mutex_unlock(&m->lock);
}

struct matcher_state matcher_state(struct matcher *m)
{
	struct matcher_state state = {0};

	pthread_mutex_lock(&m->lock);
	state.searching = next_wanted(m);
	state.until = generation_trace(m->generation)->duration;
	for (unsigned i = 0; i < m->spec->nintervals; i++) {
		const struct searched *search = &m->searches[i];
		bool old = search->renewed || is_outdated(m, i);
		state.renewed |= search->renewed != NULL;
		state.old |= old;
		if (old && search->until < state.until)
			state.until = search->until;
	}
	pthread_mutex_unlock(&m->lock);
	return state;
}
