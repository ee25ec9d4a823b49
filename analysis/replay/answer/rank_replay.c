#include "analysis/replay/answer/rank_replay.h"
#include "analysis/replay/answer/subject_fix.h"
#include "base/array.h"
#include "base/task.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

static const double most_miss = 0.1;
/* Of the critical path: a lock with less is not removed by itself. */
static const double least_path = 0.01;
/* Of the run: events that are on that long are on for all of it. */
static const double nearly_always = 0.95;
/* What gains so much of what gains most is as good, if it is more precise. */
static const double as_good = 0.8;

/* ---- what is replayed ---- */

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

static void removal_set(struct rank_row *lock, const struct prediction *p, const struct gain *g)
{
	lock->whole = true;
	lock->removed = g->removed;
	lock->removal = as_recorded(p, g->removal);
	lock->removal_low = as_recorded(p, g->removal_low);
	lock->removal_high = as_recorded(p, g->removal_high);
}

/* Finds the range of what is said first. */
static void first_remove(struct rank_row *lock, struct prediction *p)
{
	struct gain g = {.of = &lock->subject};

	if (!lock->removed || !may_predict(p))
		return;
	removal_find_whole(p, &g);
	if (!task_cancelled())
		removal_set(lock, p, &g);
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
	rank_sort(r);
	first_remove(&r->rows[0], p);
	prediction_free(p);
}

/* ---- rows ---- */

/* Zeroing of a row whose replay is unknown keeps the same waits. */
static void gain_set(struct rank_row *row, const struct prediction *p, const struct gain *g)
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
}

static void row_set(struct rank_row *row, struct prediction *p, const struct gain *g)
{
	gain_set(row, p, g);
	if (row->subject.kind == SUBJECT_LOCK)
		removal_find(row, p);
}

void rank_row_replay_whole(struct rank_row *row, struct prediction *p)
{
	unsigned kinds;
	struct gain g;

	if (!row->replayed || row->whole)
		return;
	g = subject_fix_of(p->model, &row->subject, &row->fix, &kinds);
	gain_find_whole(p, &g);
	free((bool *)g.threads);
	if (task_cancelled())
		return;
	gain_set(row, p, &g);
	removal_set(row, p, &g);
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
		struct gain g = subject_fix_of(p->model, &rows[i]->subject, &rows[i]->fix, &kinds);

		gains_find(p, &g, 1);
		if (!task_cancelled()) /* else the replay was not done */
			row_set(rows[i], p, &g);
		free((bool *)g.threads);
		task_step(p->model->trace->events);
	}
	while (best_first(r, sorted))
		sorted++;
	for (size_t i = 0; i < r->n && i < plan->whole && !r->is_unknown && may_predict(p); i++)
		rank_row_replay_whole(&r->rows[i], p);
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
