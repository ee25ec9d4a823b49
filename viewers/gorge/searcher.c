#include "viewers/gorge/searcher.h"
#include "viewers/gorge/search_room.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* How much the search gives way to pictures: see nice(2). */
enum { NICE = 10 };

/* The rank of what nobody waits for yet. */
enum { ASKED_FOR = 1 };

struct searcher {
	const struct spec *spec;
	pthread_mutex_t engine;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	struct age *age;
	struct search *searches; /* by interval.index */
	uint64_t waits;
	bool running, abandoned;
	bool lent; /* somebody else may have something of the trace's event lists */
};

/* Of one interval. */
struct search {
	struct instances *found, *anew; /* given out, and found since; NULL: not yet */
	uint64_t events;		/* age_events() when the newer one was found */
	int64_t until, until_anew;	/* how long the trace was when each was found */
	uint64_t wanted;		/* what is greatest comes first; 0: it is not */
	bool again;			/* it is to be looked for though it was found */
};

static void destroy(struct searcher *s)
{
	for (unsigned i = 0; i < s->spec->nintervals; i++) {
		instances_free(s->searches[i].found);
		instances_free(s->searches[i].anew);
	}
	pthread_mutex_destroy(&s->engine);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->changed);
	free(s->searches);
	age_release(s->age);
	free(s);
}

/* ---- in the background ---- */

/* Under the lock, as what follows. What nobody has seen yet comes first. NULL: there is none now. */
static const struct interval *next_wanted(const struct searcher *s)
{
	const struct search *next = NULL, *end = s->searches + s->spec->nintervals;

	for (const struct search *i = s->searches; i < end; i++)
		if (i->wanted && !i->found && (!next || i->wanted > next->wanted))
			next = i;
	for (const struct search *i = s->searches; i < end && !next; i++)
		if (i->again)
			next = i;
	return next ? s->spec->intervals[next - s->searches] : NULL;
}

/* What was found before is perhaps being used. */
static void keep(struct searcher *s, struct search *i, struct instances *found, const struct age *a)
{
	i->events = age_events(a, found->interval);
	i->again = false;
	if (i->found) {
		instances_free(i->anew);
		i->anew = found;
		i->until_anew = age_trace(a)->duration;
		return;
	}
	instances_renew(found, age_census(s->age));
	i->found = found;
	i->until = age_trace(a)->duration;
}

static uint64_t make_room(struct searcher *s, struct trace *t, const struct interval *interval)
{
	uint64_t limit;

	pthread_mutex_lock(&s->lock);
	limit = search_room_begin(t, interval, s->lent);
	pthread_mutex_unlock(&s->lock);
	return limit;
}

static void take(struct searcher *s, const struct interval *interval)
{
	struct age *age = age_hold(s->age);
	struct instances *found;
	uint64_t limit;

	pthread_mutex_unlock(&s->lock);
	searcher_lock(s);
	limit = make_room(s, age_trace(age), interval);
	found = search_interval(age_trace(age), age_census(age), interval);
	search_room_end(limit);
	searcher_unlock(s);
	pthread_mutex_lock(&s->lock);
	keep(s, &s->searches[interval->index], found, age);
	age_release(age);
	pthread_cond_broadcast(&s->changed);
}

static void *search_wanted(void *context)
{
	struct searcher *s = context;
	const struct interval *interval;
	bool abandoned;

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
	pthread_mutex_lock(&s->lock);
	while (!s->abandoned && (interval = next_wanted(s)))
		take(s, interval);
	s->running = false;
	abandoned = s->abandoned;
	pthread_mutex_unlock(&s->lock);
	if (abandoned)
		destroy(s);
	return NULL;
}

/* Where there is no thread to be had the caller does it. */
static void run(struct searcher *s)
{
	const struct interval *next = next_wanted(s);
	pthread_attr_t detached;
	pthread_t thread;

	if (s->running || !next)
		return;
	s->running = true;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &detached, search_wanted, s) != 0) {
		s->running = false;
		take(s, next);
	}
	pthread_attr_destroy(&detached);
}

static void want(struct searcher *s, const struct interval *interval, uint64_t rank)
{
	struct search *i = &s->searches[interval->index];

	i->wanted = i->wanted > rank ? i->wanted : rank;
	if (!i->found)
		run(s);
}

/* ---- for who waits ---- */

struct searcher *searcher_new(struct age *a)
{
	struct searcher *s = zeroed(1, sizeof *s);
	pthread_condattr_t monotonic;

	s->spec = age_trace(a)->spec;
	s->age = age_hold(a);
	s->searches = zeroed(s->spec->nintervals, sizeof *s->searches);
	pthread_mutex_init(&s->engine, NULL);
	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&s->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return s;
}

void searcher_begin(struct searcher *s)
{
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		if (searcher_shows(s->spec, s->spec->intervals[i]))
			want(s, s->spec->intervals[i], ASKED_FOR);
	pthread_mutex_unlock(&s->lock);
}

void searcher_free(struct searcher *s)
{
	bool running;

	pthread_mutex_lock(&s->lock);
	s->abandoned = running = s->running;
	pthread_mutex_unlock(&s->lock);
	if (!running)
		destroy(s);
}

struct instances *searcher_get(struct searcher *s, const struct interval *interval)
{
	struct instances *found;

	pthread_mutex_lock(&s->lock);
	want(s, interval, ASKED_FOR);
	found = s->searches[interval->index].found;
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

static unsigned count_missing(const struct searcher *s, const bool *intervals)
{
	unsigned missing = 0;

	for (unsigned i = 0; i < s->spec->nintervals; i++)
		missing += intervals[i] && !s->searches[i].found;
	return missing;
}

unsigned searcher_wait(struct searcher *s, const bool *intervals, long milliseconds)
{
	struct timespec end = after(milliseconds < 0 ? 0 : milliseconds);
	unsigned missing;
	int late = 0;

	pthread_mutex_lock(&s->lock);
	s->waits++;
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		if (intervals[i])
			want(s, s->spec->intervals[i], ASKED_FOR + s->waits);
	while ((missing = count_missing(s, intervals)) && !late)
		if (milliseconds < 0)
			pthread_cond_wait(&s->changed, &s->lock);
		else
			late = pthread_cond_timedwait(&s->changed, &s->lock, &end);
	pthread_mutex_unlock(&s->lock);
	return missing;
}

struct instances *searcher_await(struct searcher *s, const struct interval *interval)
{
	bool *one = zeroed(s->spec->nintervals, sizeof *one);

	one[interval->index] = true;
	searcher_wait(s, one, -1);
	free(one);
	return searcher_get(s, interval);
}

bool searcher_seeks(struct searcher *s, const struct interval *interval)
{
	bool seeks;

	pthread_mutex_lock(&s->lock);
	seeks = s->searches[interval->index].wanted && !s->searches[interval->index].found;
	pthread_mutex_unlock(&s->lock);
	return seeks;
}

/* ---- of a trace that grows ---- */

void searcher_grow(struct searcher *s, struct age *a)
{
	pthread_mutex_lock(&s->lock);
	age_release(s->age);
	s->age = age_hold(a);
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		if (s->searches[i].found)
			instances_renew(s->searches[i].found, age_census(a));
	pthread_mutex_unlock(&s->lock);
}

/* Under the lock. */
static bool is_old(const struct searcher *s, const struct search *i)
{
	return i->found && i->events != age_events(s->age, i->found->interval);
}

void searcher_again(struct searcher *s)
{
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		s->searches[i].again = is_old(s, &s->searches[i]);
	run(s);
	pthread_mutex_unlock(&s->lock);
}

void searcher_renew(struct searcher *s)
{
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->spec->nintervals; i++) {
		struct search *search = &s->searches[i];
		if (!search->anew)
			continue;
		instances_free(search->found);
		search->found = search->anew;
		search->anew = NULL;
		search->until = search->until_anew;
		instances_renew(search->found, age_census(s->age));
	}
	pthread_mutex_unlock(&s->lock);
}

struct searcher_age searcher_age(struct searcher *s)
{
	struct searcher_age a = {0};

	pthread_mutex_lock(&s->lock);
	a.searching = next_wanted(s);
	a.until = age_trace(s->age)->duration;
	for (unsigned i = 0; i < s->spec->nintervals; i++) {
		const struct search *search = &s->searches[i];
		bool old = search->anew || is_old(s, search);
		a.renewed |= search->anew != NULL;
		a.old |= old;
		if (old && search->until < a.until)
			a.until = search->until;
	}
	pthread_mutex_unlock(&s->lock);
	return a;
}

void searcher_lend(struct searcher *s)
{
	pthread_mutex_lock(&s->lock);
	s->lent = true;
	pthread_mutex_unlock(&s->lock);
}

void searcher_lock(struct searcher *s)
{
	pthread_mutex_lock(&s->engine);
}

void searcher_unlock(struct searcher *s)
{
	pthread_mutex_unlock(&s->engine);
}
