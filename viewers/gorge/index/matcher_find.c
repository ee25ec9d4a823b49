/* What a matcher does in the background. */
#include "viewers/gorge/index/matcher_parts.h"
#include "viewers/gorge/index/memory_budget.h"
#include "viewers/gorge/index/stacking.h"
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* How much it gives way to pictures: see nice(2). */
enum { NICE = 10 };

/* What nobody has seen yet comes first. */
const struct interval *matcher_next(const struct matcher *s)
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

/* Instances that are held, to be stacked together. */
struct set {
	struct instances **of;
	unsigned n;
};

static void set_add(struct set *set, struct instances *n)
{
	if (n)
		set->of[set->n++] = instances_hold(n);
}

static struct set set_new(const struct matcher *s)
{
	return (struct set){.of = array_zero(s->spec->nintervals, sizeof(struct instances *))};
}

/* All that are shown, as they are given out. */
static struct set shown(const struct matcher *s)
{
	struct set set = set_new(s);

	for (unsigned i = 0; i < s->spec->nintervals; i++)
		if (s->searches[i].shown)
			set_add(&set, s->searches[i].found);
	return set;
}

/* All that will be shown with what was just found; if that was found anew, of what was, too. */
static struct set shown_with(const struct matcher *s, const struct search *now, struct instances *found)
{
	struct set set = set_new(s);

	for (const struct search *i = s->searches; i < s->searches + s->spec->nintervals; i++)
		if (i == now)
			set_add(&set, found);
		else if (i->shown && now->shown)
			set_add(&set, now->found ? i->anew : i->found);
	return set;
}

static void set_free(struct set *set)
{
	for (unsigned i = 0; i < set->n; i++)
		instances_free(set->of[i]);
	free(set->of);
}

bool matcher_stacked(const struct matcher *s)
{
	struct set set = shown(s);
	bool made = stacking_is_made(generation_index(s->generation), set.of, set.n);

	set_free(&set);
	return made;
}

/* Others wait for the lock meanwhile no longer than for something to be found. */
static void stack(struct matcher *s, struct set *set)
{
	struct generation *generation = generation_hold(s->generation);

	pthread_mutex_unlock(&s->lock);
	stacking_make(generation_index(generation), set->of, set->n);
	set_free(set);
	generation_release(generation);
	pthread_mutex_lock(&s->lock);
}

/* What was found before is perhaps being used. */
static void keep(struct matcher *s, struct search *i, struct instances *found)
{
	i->events = generation_events(found->generation, found->interval);
	i->again = false;
	if (i->found) {
		instances_free(i->anew);
		i->anew = found;
		i->until_anew = generation_trace(found->generation)->duration;
		return;
	}
	i->until = generation_trace(found->generation)->duration;
	instances_renew(found, s->generation, found->interval);
	i->found = found;
}

static uint64_t make_room(struct matcher *s, struct trace *t, const struct interval *interval)
{
	uint64_t limit;

	pthread_mutex_lock(&s->lock);
	limit = memory_budget_begin(t, interval, s->lent);
	pthread_mutex_unlock(&s->lock);
	return limit;
}

static void take(struct matcher *s, const struct interval *interval)
{
	struct search *i = &s->searches[interval->index];
	struct generation *generation = generation_hold(s->generation);
	struct instances *found;
	struct set set;
	uint64_t limit;

	pthread_mutex_unlock(&s->lock);
	matcher_lock(s);
	limit = make_room(s, generation_trace(generation), interval);
	found = match_instances(generation, interval);
	memory_budget_end(limit);
	matcher_unlock(s);
	pthread_mutex_lock(&s->lock);
	if (!s->abandoned && !s->finishing) {
		set = shown_with(s, i, found);
		stack(s, &set);
	}
	keep(s, i, found);
	generation_release(generation);
}

/* False: there is nothing to be done. */
static bool step(struct matcher *s)
{
	const struct interval *next = matcher_next(s);
	bool stacked = matcher_stacked(s);
	struct set set;

	if (stacked && !next)
		return false;
	if (next && (stacked || s->finishing)) {
		take(s, next);
	} else {
		set = shown(s);
		stack(s, &set);
	}
	pthread_cond_broadcast(&s->changed);
	return true;
}

static void *work(void *context)
{
	struct matcher *s = context;
	bool abandoned;

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
	pthread_mutex_lock(&s->lock);
	while (!s->abandoned && step(s))
		;
	s->running = s->finishing = false;
	abandoned = s->abandoned;
	pthread_mutex_unlock(&s->lock);
	if (abandoned)
		matcher_destroy(s);
	return NULL;
}

/* Where there is no thread to be had the caller does it. */
void matcher_run(struct matcher *s)
{
	pthread_attr_t detached;
	pthread_t thread;

	if (s->running || (!matcher_next(s) && matcher_stacked(s)))
		return;
	s->running = true;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &detached, work, s) != 0) {
		step(s);
		s->running = false;
	}
	pthread_attr_destroy(&detached);
}

void matcher_finish(struct matcher *s)
{
	s->finishing = true;
	if (s->running)
		return;
	s->running = true;
	while (step(s))
		;
	s->running = s->finishing = false;
}
