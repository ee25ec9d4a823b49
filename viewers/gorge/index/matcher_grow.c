/* A matcher of a trace that grows. */
#include "viewers/gorge/index/matcher_parts.h"
#include "viewers/gorge/index/stacking.h"

void matcher_grow(struct matcher *s, struct generation *a)
{
	pthread_mutex_lock(&s->lock);
	generation_release(s->generation);
	s->generation = generation_hold(a);
	stacking_pause();
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		if (s->searches[i].found)
			instances_renew(s->searches[i].found, a, s->spec->intervals[i]);
	stacking_resume();
	pthread_mutex_unlock(&s->lock);
}

/* Under the lock. */
static bool is_old(const struct matcher *s, unsigned i)
{
	return s->searches[i].found && s->searches[i].events != generation_events(s->generation, s->spec->intervals[i]);
}

void matcher_again(struct matcher *s)
{
	pthread_mutex_lock(&s->lock);
	for (unsigned i = 0; i < s->spec->nintervals; i++)
		s->searches[i].again = is_old(s, i);
	matcher_run(s);
	pthread_mutex_unlock(&s->lock);
}

void matcher_renew(struct matcher *s)
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
		instances_renew(search->found, s->generation, s->spec->intervals[i]);
	}
	matcher_run(s);
	pthread_mutex_unlock(&s->lock);
}

struct matcher_state matcher_state(struct matcher *s)
{
	struct matcher_state a = {0};

	pthread_mutex_lock(&s->lock);
	a.searching = matcher_next(s);
	a.until = generation_trace(s->generation)->duration;
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
