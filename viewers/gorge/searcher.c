#include "viewers/gorge/searcher.h"
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
	struct trace *trace;
	const struct census *census;
	pthread_mutex_t engine;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	struct instances **found; /* by interval.index; NULL: not yet */
	uint64_t *wanted;	  /* the same: what is greatest comes first; 0: it is not */
	uint64_t waits;
	bool running, abandoned;
	void (*then)(void *context); /* when it is abandoned */
	void *context;
};

static void destroy(struct searcher *s)
{
	for (unsigned i = 0; i < s->trace->spec->nintervals; i++)
		instances_free(s->found[i]);
	pthread_mutex_destroy(&s->engine);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->changed);
	free(s->found);
	free(s->wanted);
	s->then(s->context);
	free(s);
}

/* ---- in the background ---- */

/* Under the lock, as what follows. NULL: there is none now. */
static const struct interval *next_wanted(const struct searcher *s)
{
	const struct spec *spec = s->trace->spec;
	const struct interval *next = NULL;

	for (unsigned i = 0; i < spec->nintervals; i++)
		if (s->wanted[i] && !s->found[i] &&
		    (!next || s->wanted[i] > s->wanted[next->index]))
			next = spec->intervals[i];
	return next;
}

static void take(struct searcher *s, const struct interval *interval)
{
	struct instances *found;

	pthread_mutex_unlock(&s->lock);
	searcher_lock(s);
	found = search_interval(s->trace, s->census, interval);
	searcher_unlock(s);
	pthread_mutex_lock(&s->lock);
	s->found[interval->index] = found;
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
static void want(struct searcher *s, const struct interval *interval, uint64_t rank)
{
	uint64_t *wanted = &s->wanted[interval->index];
	pthread_attr_t detached;
	pthread_t thread;

	*wanted = *wanted > rank ? *wanted : rank;
	if (s->running || s->found[interval->index])
		return;
	s->running = true;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &detached, search_wanted, s) != 0) {
		s->running = false;
		take(s, interval);
	}
	pthread_attr_destroy(&detached);
}

/* ---- for who waits ---- */

struct searcher *searcher_new(struct trace *t, const struct census *c)
{
	struct searcher *s = zeroed(1, sizeof *s);
	pthread_condattr_t monotonic;

	s->trace = t;
	s->census = c;
	s->found = zeroed(t->spec->nintervals, sizeof *s->found);
	s->wanted = zeroed(t->spec->nintervals, sizeof *s->wanted);
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
	const struct spec *spec = s->trace->spec;

	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (searcher_shows(spec, spec->intervals[i]))
			want(s, spec->intervals[i], ASKED_FOR);
	pthread_mutex_unlock(&s->lock);
}

void searcher_free(struct searcher *s, void (*then)(void *context), void *context)
{
	bool running;

	s->then = then;
	s->context = context;
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
	found = s->found[interval->index];
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

	for (unsigned i = 0; i < s->trace->spec->nintervals; i++)
		missing += intervals[i] && !s->found[i];
	return missing;
}

unsigned searcher_wait(struct searcher *s, const bool *intervals, long milliseconds)
{
	struct timespec end = after(milliseconds < 0 ? 0 : milliseconds);
	unsigned missing;
	int late = 0;

	pthread_mutex_lock(&s->lock);
	s->waits++;
	for (unsigned i = 0; i < s->trace->spec->nintervals; i++)
		if (intervals[i])
			want(s, s->trace->spec->intervals[i], ASKED_FOR + s->waits);
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
	bool *one = zeroed(s->trace->spec->nintervals, sizeof *one);

	one[interval->index] = true;
	searcher_wait(s, one, -1);
	free(one);
	return searcher_get(s, interval);
}

bool searcher_seeks(struct searcher *s, const struct interval *interval)
{
	bool seeks;

	pthread_mutex_lock(&s->lock);
	seeks = s->wanted[interval->index] && !s->found[interval->index];
	pthread_mutex_unlock(&s->lock);
	return seeks;
}

void searcher_lock(struct searcher *s)
{
	pthread_mutex_lock(&s->engine);
}

void searcher_unlock(struct searcher *s)
{
	pthread_mutex_unlock(&s->engine);
}
