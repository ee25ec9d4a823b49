/* What a searcher does in the background. */
#include "viewers/gorge/index/matcher_parts.h"
#include "viewers/gorge/index/memory_budget.h"
#include "viewers/gorge/index/stacking.h"
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* How much it gives way to pictures: see nice(2). */
enum { NICE = 10 };

/* What nobody has seen yet comes first. */
const struct interval *searcher_next(const struct searcher *s)
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

static struct set set_new(const struct searcher *s)
{
	return (struct set){.of = array_zero(s->spec->nintervals, sizeof(struct instances *))};
}

/* All that are shown, as they are given out. */
static struct set shown(const struct searcher *s)
{
	struct set set = set_new(s);

	for (unsigned i = 0; i < s->spec->nintervals; i++)
		if (s->searches[i].shown)
			set_add(&set, s->searches[i].found);
	return set;
}

/* All that will be shown with what was just found; if that was found anew, of what was, too. */
static struct set shown_with(const struct searcher *s, const struct search *now, struct instances *found)
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

bool searcher_stacked(const struct searcher *s)
{
	struct set set = shown(s);
	bool made = stacks_made(age_census(s->age), set.of, set.n);

	set_free(&set);
	return made;
}

/* Others wait for the lock meanwhile no longer than for something to be found. */
static void stack(struct searcher *s, struct set *set)
{
	struct age *age = age_hold(s->age);

	pthread_mutex_unlock(&s->lock);
	stacks_make(age_census(age), set->of, set->n);
	set_free(set);
	age_release(age);
	pthread_mutex_lock(&s->lock);
}

/* What was found before is perhaps being used. */
static void keep(struct searcher *s, struct search *i, struct instances *found)
{
	i->events = age_events(found->age, found->interval);
	i->again = false;
	if (i->found) {
		instances_free(i->anew);
		i->anew = found;
		i->until_anew = age_trace(found->age)->duration;
		return;
	}
	i->until = age_trace(found->age)->duration;
	instances_renew(found, s->age, found->interval);
	i->found = found;
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
	struct search *i = &s->searches[interval->index];
	struct age *age = age_hold(s->age);
	struct instances *found;
	struct set set;
	uint64_t limit;

	pthread_mutex_unlock(&s->lock);
	searcher_lock(s);
	limit = make_room(s, age_trace(age), interval);
	found = search_interval(age, interval);
	search_room_end(limit);
	searcher_unlock(s);
	pthread_mutex_lock(&s->lock);
	if (!s->abandoned && !s->finishing) {
		set = shown_with(s, i, found);
		stack(s, &set);
	}
	keep(s, i, found);
	age_release(age);
}

/* False: there is nothing to be done. */
static bool step(struct searcher *s)
{
	const struct interval *next = searcher_next(s);
	bool stacked = searcher_stacked(s);
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
	struct searcher *s = context;
	bool abandoned;

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
	pthread_mutex_lock(&s->lock);
	while (!s->abandoned && step(s))
		;
	s->running = s->finishing = false;
	abandoned = s->abandoned;
	pthread_mutex_unlock(&s->lock);
	if (abandoned)
		searcher_destroy(s);
	return NULL;
}

/* Where there is no thread to be had the caller does it. */
void searcher_run(struct searcher *s)
{
	pthread_attr_t detached;
	pthread_t thread;

	if (s->running || (!searcher_next(s) && searcher_stacked(s)))
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

void searcher_finish(struct searcher *s)
{
	s->finishing = true;
	if (s->running)
		return;
	s->running = true;
	while (step(s))
		;
	s->running = s->finishing = false;
}
