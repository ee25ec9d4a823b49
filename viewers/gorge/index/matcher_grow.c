/* A searcher of a trace that grows. */
#include "viewers/gorge/index/matcher_parts.h"
#include "viewers/gorge/index/stacking.h"

void searcher_grow(struct searcher *s, struct age *a)
{
	pthread_mutex_lock(&s->lock);
	age_release(s->age);
	s->age = age_hold(a);
	stacks_pause();
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		if (s->searches[i].found)
			instances_renew(s->searches[i].found, a, s->spec->intervals[i]);
	stacks_resume();
	pthread_mutex_unlock(&s->lock);
}

/* Under the lock. */
static bool is_old(const struct searcher *s, unsigned i)
{
	return s->searches[i].found && s->searches[i].events != age_events(s->age, s->spec->intervals[i]);
}

void searcher_again(struct searcher *s)
{
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		s->searches[i].again = is_old(s, i);
	searcher_run(s);
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
		instances_renew(search->found, s->age, s->spec->intervals[i]);
	}
	searcher_run(s);
	pthread_mutex_unlock(&s->lock);
}

struct searcher_age searcher_age(struct searcher *s)
{
	struct searcher_age a = {0};

	pthread_mutex_lock(&s->lock);
	a.searching = searcher_next(s);
	a.until = age_trace(s->age)->duration;
	for (unsigned i = 0; i < s->spec->nintervals; i++) {
		const struct search *search = &s->searches[i];
		bool old = search->anew || is_old(s, i);
		a.renewed |= search->anew != NULL;
		a.old |= old;
		if (old && search->until < a.until)
			a.until = search->until;
	}
	pthread_mutex_unlock(&s->lock);
	return a;
}
