#include "viewers/gorge/index/matcher.h"
#include "spec/alike.h"
#include "viewers/gorge/index/matcher_parts.h"
#include <stdlib.h>
#include <time.h>

/* The rank of what nobody waits for yet. */
enum { ASKED_FOR = 1 };

/* Under the lock. */
static void want(struct matcher *s, const struct interval *interval, uint64_t rank)
{
	struct search *i = &s->searches[interval->index];

	i->wanted = i->wanted > rank ? i->wanted : rank;
}

/* What the one of that definition has found; each is taken once, for nothing is stacked with itself. */
static void adopt(struct matcher *s, unsigned index, struct matcher *before, bool *taken)
{
	for (unsigned i = 0; i < before->spec->nintervals; i++) {
		const struct search *b = &before->searches[i];
		if (!b->found || taken[i] || !intervals_alike(before->spec->intervals[i], s->spec->intervals[index]))
			continue;
		taken[i] = true;
		s->searches[index] = *b;
		s->searches[index].found = instances_hold(b->found);
		s->searches[index].anew = instances_hold(b->anew);
		s->searches[index].again = false;
		return;
	}
}

static void adopt_all(struct matcher *s, struct matcher *before)
{
	bool *taken = array_zero(before->spec->nintervals, sizeof *taken);

	pthread_mutex_lock(&before->lock);
	before->retired = true;
	for (unsigned i = 0; i < before->spec->nintervals; i++)
		before->searches[i].shown = false;
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		adopt(s, i, before, taken);
	pthread_mutex_unlock(&before->lock);
	free(taken);
}

struct matcher *matcher_new(struct generation *a, struct matcher *before)
{
	struct matcher *s = array_zero(1, sizeof *s);
	pthread_condattr_t monotonic;

	s->spec = generation_trace(a)->spec;
	s->generation = generation_hold(a);
	s->searches = array_zero(s->spec->nintervals, sizeof *s->searches);
	pthread_mutex_init(&s->engine, NULL);
	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&s->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (before)
		adopt_all(s, before);
	return s;
}

/* The lists of events stay in no trace that others, with instances that were found in it, hold. */
void matcher_destroy(struct matcher *s)
{
	trace_forget_events(generation_trace(s->generation));
	for (unsigned i = 0; i < s->spec->nintervals; i++) {
		instances_free(s->searches[i].found);
		instances_free(s->searches[i].anew);
	}
	pthread_mutex_destroy(&s->engine);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->changed);
	free(s->searches);
	generation_release(s->generation);
	free(s);
}

void matcher_begin(struct matcher *s)
{
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		if (matcher_shows(s->spec, s->spec->intervals[i]))
			want(s, s->spec->intervals[i], ASKED_FOR);
	matcher_run(s);
	pthread_mutex_unlock(&s->lock);
}

void matcher_free(struct matcher *s)
{
	bool running;

	pthread_mutex_lock(&s->lock);
	s->abandoned = running = s->running;
	pthread_mutex_unlock(&s->lock);
	if (!running)
		matcher_destroy(s);
}

struct instances *matcher_get(struct matcher *s, const struct interval *interval)
{
	struct instances *found;

	pthread_mutex_lock(&s->lock);
	want(s, interval, ASKED_FOR);
	found = s->searches[interval->index].found;
	if (!found)
		matcher_run(s);
	pthread_mutex_unlock(&s->lock);
	return found;
}

static struct timespec after(long milliseconds)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += milliseconds * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static unsigned count_missing(const struct matcher *s, const bool *intervals)
{
	unsigned missing = 0;

	for (unsigned i = 0; i < s->spec->nintervals; i++)
		missing += intervals[i] && !s->searches[i].found;
	return missing;
}

/* Whether what is shown is there, and stacked. */
static bool is_ready(const struct matcher *s, const bool *intervals)
{
	return !count_missing(s, intervals) && matcher_stacked(s);
}

static void want_all(struct matcher *s, const bool *intervals)
{
	s->waits++;
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		if (intervals[i])
			want(s, s->spec->intervals[i], ASKED_FOR + s->waits);
}

/* Until something has changed, or the time has come: gives false. */
static bool wait_some(struct matcher *s, const struct timespec *end)
{
	if (end)
		return pthread_cond_timedwait(&s->changed, &s->lock, end) == 0;
	return pthread_cond_wait(&s->changed, &s->lock) == 0;
}

unsigned matcher_wait(struct matcher *s, const bool *intervals, long milliseconds)
{
	struct timespec end = after(milliseconds < 0 ? 0 : milliseconds);
	unsigned missing;

	pthread_mutex_lock(&s->lock);
	want_all(s, intervals);
	if (count_missing(s, intervals))
		matcher_run(s);
	while ((missing = count_missing(s, intervals)) && wait_some(s, milliseconds < 0 ? NULL : &end))
		;
	pthread_mutex_unlock(&s->lock);
	return missing;
}

void matcher_show(struct matcher *s, const bool *intervals, long milliseconds)
{
	struct timespec end = after(milliseconds < 0 ? 0 : milliseconds);

	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		s->searches[i].shown = intervals[i] && !s->retired;
	want_all(s, intervals);
	if (milliseconds < 0)
		matcher_finish(s);
	else
		matcher_run(s);
	while (!is_ready(s, intervals) && wait_some(s, milliseconds < 0 ? NULL : &end))
		;
	pthread_mutex_unlock(&s->lock);
}

struct instances *matcher_await(struct matcher *s, const struct interval *interval)
{
	bool *one = array_zero(s->spec->nintervals, sizeof *one);

	one[interval->index] = true;
	matcher_wait(s, one, -1);
	free(one);
	return matcher_get(s, interval);
}

bool matcher_seeks(struct matcher *s, const struct interval *interval)
{
	const struct search *i = &s->searches[interval->index];
	bool seeks;

	pthread_mutex_lock(&s->lock);
	seeks = i->wanted && !i->found;
	seeks |= i->shown && !matcher_stacked(s);
	pthread_mutex_unlock(&s->lock);
	return seeks;
}

void matcher_lend(struct matcher *s)
{
	pthread_mutex_lock(&s->lock);
	s->lent = true;
	pthread_mutex_unlock(&s->lock);
}

void matcher_lock(struct matcher *s)
{
	pthread_mutex_lock(&s->engine);
}

void matcher_unlock(struct matcher *s)
{
	pthread_mutex_unlock(&s->engine);
}
