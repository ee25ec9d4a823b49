#include "analysis/replay/answer/sweep.h"
#include "analysis/replay/answer/plan.h"
#include "analysis/replay/answer/refusal.h"
#include "base/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_cores(const struct sweep *s)
{
	return strcmp(s->what, "cores") == 0;
}

static void point_add(struct prediction *p, struct sweep *s, struct changes *c,
		      struct span_change *change, double factor)
{
	const char *unknown;
	bool good;

	if (is_cores(s))
		c->cores = (unsigned)factor;
	else
		change->factor = factor;
	good = prediction_change(p, c, &unknown);
	*vector_add(&s->points) =
	    (struct sweep_point){factor,
				 {.known = good && !p->changed->stuck && !prediction_is_unknown(p),
				  .predicted = p->changed->duration,
				  .low = p->low,
				  .high = p->high}};
}

/* Orders the points from one to another, away from the recorded run's. */
static void side_order(struct sweep_point *points, size_t n, int64_t recorded, bool slower)
{
	struct predicted_time *times = array_new(n, sizeof *times);

	for (size_t i = 0; i < n; i++)
		times[slower ? n - 1 - i : i] = points[i].time;
	predicted_times_order(times, n, &recorded, slower);
	for (size_t i = 0; i < n; i++)
		points[i].time = times[slower ? n - 1 - i : i];
	free(times);
}

/* The faster, or the more processors, the shorter: as recorded with `unchanged` of them. */
static void points_order(const struct prediction *p, struct sweep *s, double unchanged)
{
	size_t slower = 0;

	while (slower < s->points.n && s->points.at[slower].factor < unchanged)
		slower++;
	side_order(s->points.at, slower, p->base->duration, true);
	side_order(s->points.at + slower, s->points.n - slower, p->base->duration, false);
}

static void sweep_run(struct prediction *p, struct sweep *s, struct changes *c,
		      struct span_change *change)
{
	double range = s->to - s->from;
	bool whole = s->from == floor(s->from) && s->to == floor(s->to) && range < SWEEP_POINTS;
	unsigned n;

	if (range < SWEEP_POINTS && (whole || is_cores(s)))
		n = (unsigned)range + 1;
	else
		n = (unsigned)replays_within(REPLAYS_OF_ANSWER, prediction_steps(p), SWEEP_POINTS);

	for (unsigned i = 0; i < n; i++) {
		double factor = n > 1 ? s->from + range * i / (n - 1) : s->from;

		point_add(p, s, c, change, is_cores(s) ? floor(factor + 0.5) : factor);
	}
	if (!is_cores(s) || p->cores)
		points_order(p, s, is_cores(s) ? p->cores : 1);
}

bool sweeps_run(struct prediction *p, struct sweep *sweeps, unsigned n, const char **unknown)
{
	struct span_change *spans = array_zero(n, sizeof *spans);
	unsigned *places = array_zero(n, sizeof *places), nspans = 0;
	struct changes c = {.spans = spans, .one_of_many = true};
	bool good;

	for (unsigned i = 0; i < n; i++) {
		places[i] = nspans;
		if (!is_cores(&sweeps[i]))
			spans[nspans++] = (struct span_change){
			    .what = sweeps[i].what, .own = sweeps[i].own, .factor = 1};
	}
	c.nspans = nspans;
	good = prediction_choose(p, &c, unknown);
	for (unsigned i = 0; i < n && good; i++) {
		c.cores_given = is_cores(&sweeps[i]);
		c.nspans = c.cores_given ? 0 : nspans;
		c.only = places[i];
		sweep_run(p, &sweeps[i], &c, &spans[places[i]]);
	}
	free(places);
	free(spans);
	return good;
}

/* ---- gains ---- */

struct span_change gain_change(const struct gain *g)
{
	return (struct span_change){
	    .kind = g->kind, .subject = g->of, .own = g->own, .threads = g->threads, .factor = 2};
}

/* Of the changed run: the gain, and between which it should be. */
static void range_take(const struct prediction *p, int64_t *gain, int64_t *low, int64_t *high)
{
	*gain = p->base->duration - p->changed->duration;
	*low = p->base->duration - p->high;
	*high = p->base->duration - p->low;
}

/* Each is chosen by itself: an instance may be of several. */
static void gain_find(struct prediction *p, struct gain *g, bool whole)
{
	struct span_change change = gain_change(g);
	struct changes c = {
	    .spans = &change, .nspans = 1, .only = NOT_CHANGED, .one_of_many = !whole};
	const char *unknown;

	g->gain = g->low = g->high = g->unseen = 0;
	g->known = true;
	if (!prediction_choose(p, &c, &unknown) || !prediction_change(p, &c, &unknown))
		return;
	if (p->changed->stuck) {
		g->known = !p->changed->stop;
		return;
	}
	g->known = whole ? !prediction_is_refused(p, false, &(struct diag){0})
			 : !prediction_is_unknown(p) && !prediction_contradicts(p);
	range_take(p, &g->gain, &g->low, &g->high);
	g->unseen = p->held_earlier < 0 ? g->gain : p->base->duration - p->held_earlier;
}

/*
 * Whether a run without locks is shorter by more than all waits for them and their calls. Then they
 * are what makes other waits possible, such as those for the condition of Python's GIL.
 */
static bool gains_too_much(const struct prediction *p, int64_t gain)
{
	static const double calls = 0.5; /* at most, of the run */
	double waits = calls * (double)p->base->duration;

	for (size_t i = 0; i < p->model->locks->locks.n; i++)
		waits += p->gone[i] ? (double)p->base->lock_waits[i] : 0;
	return (double)gain > waits;
}

bool lock_removal(struct prediction *p, const struct subject *lock, int64_t *gain)
{
	struct lock_change none = {.subject = lock, .discipline = DISCIPLINE_NONE};
	struct changes c = {.locks = &none, .nlocks = 1, .one_of_many = true, .no_range = true};
	const char *unknown;

	*gain = 0;
	if (!prediction_change(p, &c, &unknown))
		return true;
	if (p->changed->stuck)
		return !p->changed->stop;
	*gain = p->base->duration - p->changed->duration;
	return !prediction_is_unknown(p) && !gains_too_much(p, *gain);
}

/* As lock_removal(), with a range. */
void removal_find_whole(struct prediction *p, struct gain *g)
{
	struct lock_change none = {.subject = g->of, .discipline = DISCIPLINE_NONE};
	struct changes c = {.locks = &none, .nlocks = 1, .only = NOT_CHANGED};
	const char *unknown;

	g->removed = prediction_change(p, &c, &unknown) &&
		     !prediction_is_refused(p, false, &(struct diag){0});
	if (!g->removed)
		return;
	range_take(p, &g->removal, &g->removal_low, &g->removal_high);
	g->removed = !gains_too_much(p, g->removal);
}

void gains_find(struct prediction *p, struct gain *gains, size_t n)
{
	for (size_t i = 0; i < n; i++)
		gain_find(p, &gains[i], false);
}

void gain_find_whole(struct prediction *p, struct gain *g)
{
	gain_find(p, g, true);
	if (g->of->kind == SUBJECT_LOCK)
		removal_find_whole(p, g);
}
