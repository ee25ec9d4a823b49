#include "analysis/replay/answer/rank_replay.h"
#include "base/array.h"
#include "base/task.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

static const double most_miss = 0.1;
/* Of the critical path: a lock with less is not removed by itself. */
static const double least_path = 0.01;
/* Of the time of waits, from which on the threads that end them are all of them. */
static const double most_of_waits = 0.9;
/* Of the run: events that are on that long are on for all of it. */
static const double nearly_always = 0.95;
/* What gains so much of what gains most is as good, if it is more precise. */
static const double as_good = 0.8;

/* ---- who ends waits ---- */

/* The kinds of the intervals that are time of a row, as bits; *classes: which classes are. */
static unsigned kinds_of(const struct instance_set *set, const struct rank_row *row, bool *classes)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < set->classes.n; i++) {
		classes[i] = subject_has_class(set, &row->subject, &set->classes.at[i]);
		if (classes[i])
			kinds |= 1u << set->classes.at[i].role->kind;
	}
	return kinds;
}

/* Adds how long a wait was for the thread that ended it. */
static void wait_add(const struct timeline *l, const struct instance_span *s, int64_t *times)
{
	size_t i = stretch_before(l, s->end < l->end ? s->end : l->end);
	const struct stretch *last = &l->stretches[i];

	if (i < l->n && last->cause_thread != NO_THREAD && last->cause_time > s->start)
		times[last->cause_thread] += last->cause_time - s->start;
}

static uint32_t most_at(const int64_t *times, uint32_t n)
{
	uint32_t most = 0;

	for (uint32_t t = 1; t < n; t++)
		if (times[t] > times[most])
			most = t;
	return most;
}

/* Returns the threads, by index, that end most of the time of the waits; NULL: none is known to. */
static bool *blockers_of(const struct model *m, const bool *classes)
{
	uint32_t n = m->trace->nthreads;
	int64_t *times = array_zero(n, sizeof *times), all = 0, found = 0;
	bool *blockers = array_zero(n, sizeof *blockers);

	for (uint32_t t = 0; t < n; t++) {
		const span_vector *waits = instance_spans(m->set, SPANS_WAIT, t);

		for (size_t i = 0; i < waits->n; i++)
			if (classes[waits->at[i].class])
				wait_add(&m->graph->threads[t], &waits->at[i], times);
	}
	for (uint32_t t = 0; t < n; t++)
		all += times[t];
	while ((double)found < most_of_waits * (double)all) {
		uint32_t most = most_at(times, n);

		blockers[most] = true;
		found += times[most];
		times[most] = 0;
	}
	free(times);
	if (all)
		return blockers;
	free(blockers);
	return NULL;
}

/* ---- what is fixed ---- */

static bool *row_threads(const struct model *m, struct rank_row *row, unsigned *kinds_found)
{
	bool *classes, *threads = NULL;
	unsigned kinds;

	if (row->subject.kind != SUBJECT_SITE && row->subject.kind != SUBJECT_INTERVAL)
		return NULL;
	classes = array_zero(m->set->classes.n, sizeof *classes);
	*kinds_found = kinds = kinds_of(m->set, row, classes);
	if (kinds && !(kinds & ~(1u << KIND_WAIT | 1u << KIND_SPIN)) &&
	    (threads = blockers_of(m, classes)))
		row->fix = FIX_BLOCKERS;
	else if (!(kinds & (1u << KIND_WAIT | 1u << KIND_IO | 1u << KIND_HOLD)))
		row->fix = FIX_RUNNING;
	free(classes);
	return threads;
}

struct gain rank_row_gain(const struct model *m, struct rank_row *row, unsigned *kinds)
{
	struct gain g = {.of = &row->subject, .own = row->subject.kind == SUBJECT_FUNCTION};

	row->fix = row->subject.kind == SUBJECT_FUNCTION || row->subject.kind == SUBJECT_THREAD
		       ? FIX_RUNNING
		       : FIX_ALL;
	*kinds = 0;
	g.threads = row_threads(m, row, kinds);
	g.kind = row->fix == FIX_RUNNING ? SPAN_SPEED : SPAN_ALL_OF_IT;
	return g;
}

/* Returns the rows that are replayed: those on the path that zeroing has first; none that spins. */
static struct rank_row **rows_choose(const struct rank *r, const struct replay_plan *plan,
				     size_t *n)
{
	struct rank_row **rows = array_new(plan->rows + plan->threads, sizeof(struct rank_row *));
	size_t left[2] = {plan->rows, plan->threads};

	*n = 0;
	for (size_t i = 0; i < r->n; i++) {
		size_t *of = &left[r->rows[i].subject.kind == SUBJECT_THREAD];

		if (!r->rows[i].worth.path || r->rows[i].spins || !*of)
			continue;
		--*of;
		rows[(*n)++] = &r->rows[i];
	}
	return rows;
}

/* ---- their order ---- */

/* What says more precisely what to fix has less. */
static unsigned vagueness(const struct rank_row *row)
{
	static const unsigned of_kind[NSUBJECTS] = {
	    [SUBJECT_LOCK] = 0,   [SUBJECT_FUNCTION] = 1, [SUBJECT_SITE] = 2,
	    [SUBJECT_THREAD] = 3, [SUBJECT_INTERVAL] = 4,
	};

	return of_kind[row->subject.kind];
}

/* Of the time in which it is known. */
static double gain_share(const struct rank_row *row)
{
	int64_t gain = rank_is_removal(row) ? row->removal : row->whatif;

	return row->known > 0 ? (double)gain / (double)row->known : 0;
}

/*
 * A row of waits says that other threads do everything faster, often those that wait themselves:
 * that is no change that one can make, and comes after all rows that gain something.
 */
static bool is_fix(const struct rank_row *row)
{
	return row->fix != FIX_BLOCKERS && gain_share(row) > 0;
}

static bool is_better(const struct rank_row *a, const struct rank_row *b, double most)
{
	bool a_good = is_fix(a) && gain_share(a) >= as_good * most;
	bool b_good = is_fix(b) && gain_share(b) >= as_good * most;

	if (is_fix(a) != is_fix(b))
		return is_fix(a);
	if (a_good != b_good)
		return a_good;
	if (a_good && vagueness(a) != vagueness(b))
		return vagueness(a) < vagueness(b);
	return gain_share(a) > gain_share(b);
}

/* Moves the best of the rows from one on, which may be none that is replayed, before them. */
static bool best_first(struct rank *r, size_t first)
{
	struct rank_row *best = NULL, found;
	double most = 0;

	for (size_t i = first; i < r->n; i++)
		if (r->rows[i].replayed && is_fix(&r->rows[i]) && gain_share(&r->rows[i]) > most)
			most = gain_share(&r->rows[i]);
	for (size_t i = first; i < r->n; i++)
		if (r->rows[i].replayed && (!best || is_better(&r->rows[i], best, most)))
			best = &r->rows[i];
	if (!best)
		return false;
	found = *best;
	memmove(&r->rows[first + 1], &r->rows[first],
		(size_t)(best - &r->rows[first]) * sizeof found);
	r->rows[first] = found;
	return true;
}

/*
 * Returns a gain as a part of the recorded run, as all that a rank has: it is one of the run
 * without the cost of recording.
 */
static int64_t as_recorded(const struct prediction *p, int64_t gain)
{
	double recorded = (double)p->operations->duration, base = (double)p->base->duration;

	return base > 0 ? (int64_t)((double)gain * recorded / base) : gain;
}

/* ---- locks alone ---- */

/* Whether threads wait for what a row of locks is about. */
static bool is_waited_for(const struct instance_set *set, const struct rank_row *row)
{
	for (size_t i = 0; i < set->classes.n; i++) {
		const struct span_class *c = &set->classes.at[i];

		if ((c->role->kind == KIND_WAIT || c->role->kind == KIND_SPIN) &&
		    c->object == row->subject.key)
			return true;
	}
	return false;
}

static size_t locks_choose(const struct rank *r, const struct instance_set *set,
			   struct rank_row *locks[PLAN_LOCKS])
{
	size_t n = 0;

	for (size_t i = 0; i < r->n && n < PLAN_LOCKS; i++) {
		struct rank_row *row = &r->rows[i];

		if (row->subject.kind == SUBJECT_LOCK &&
		    (double)row->worth.path >= least_path * (double)row->known &&
		    is_waited_for(set, row))
			locks[n++] = row;
	}
	return n;
}

/*
 * Whether events of some row were on for only part of the run, as in a search while the program
 * runs. The replay is one of the whole run, in which their waits are not known: it would gain more
 * than the part has.
 */
static bool is_partial(const struct rank *r)
{
	for (size_t i = 0; i < r->n; i++)
		if ((double)r->rows[i].known < nearly_always * (double)r->duration)
			return true;
	return false;
}

static bool may_predict(const struct prediction *p)
{
	return !task_cancelled() && !p->unchanged->stuck && prediction_miss(p) <= most_miss;
}

static void removal_find(struct rank_row *lock, struct prediction *p)
{
	int64_t gain;

	lock->removed = lock_removal(p, &lock->subject, &gain);
	lock->removal = lock->removed ? as_recorded(p, gain) : 0;
}

static void locks_remove(struct rank *r, const struct instance_set *set)
{
	struct rank_row *locks[PLAN_LOCKS];
	bool may = !r->is_unknown && !is_partial(r);
	size_t n = may ? locks_choose(r, set, locks) : 0;
	struct prediction *p;

	if (!n)
		return;
	p = prediction_of(set, 0);
	task_step(set->trace->events);
	for (size_t i = 0; i < n && may_predict(p); i++) {
		removal_find(locks[i], p);
		task_step(set->trace->events);
	}
	prediction_free(p);
	rank_sort(r);
}

/* ---- rows ---- */

/* Zeroing of a row whose replay is unknown keeps the same waits. */
static void row_set(struct rank_row *row, struct prediction *p, const struct gain *g)
{
	row->replayed = g->known;
	if (g->known) {
		row->whatif = as_recorded(p, g->gain);
		row->whatif_low = as_recorded(p, g->low);
		row->whatif_high = as_recorded(p, g->high);
		row->whatif_unseen = as_recorded(p, g->unseen);
	} else {
		row->found = false;
		row->zeroing = row->slack = 0;
	}
	if (row->subject.kind == SUBJECT_LOCK)
		removal_find(row, p);
}

static void rows_replay(struct rank *r, const struct replay_plan *plan, struct prediction *p)
{
	size_t n, sorted = 0;
	struct rank_row **rows;

	if (is_partial(r))
		return;
	rows = rows_choose(r, plan, &n);
	for (size_t i = 0; i < n && !r->is_unknown && may_predict(p); i++) {
		unsigned kinds;
		struct gain g = rank_row_gain(p->model, rows[i], &kinds);

		gains_find(p, &g, 1);
		if (!task_cancelled()) /* else the replay was not done */
			row_set(rows[i], p, &g);
		free((bool *)g.threads);
		task_step(p->model->trace->events);
	}
	while (best_first(r, sorted))
		sorted++;
	free(rows);
}

/* ---- all ---- */

struct prediction *rank_predict(struct rank *r, const struct instance_set *set,
				const struct replay_plan *plan)
{
	struct prediction *p;

	if (plan->scope == REPLAY_LOCKS && r)
		locks_remove(r, set);
	if (plan->scope != REPLAY_ROWS)
		return NULL;
	p = prediction_of(set, 0);
	task_step(set->trace->events);
	if (r)
		rows_replay(r, plan, p);
	return p;
}
