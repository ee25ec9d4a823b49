#include "analysis/rank/rank.h"
#include "analysis/graph/longest.h"
#include <stdlib.h>

/* ---- what each is worth ---- */

struct weighing {
	const struct measures *measures;
	struct rank *rank;
};

static void time_weigh(void *context, size_t subject, uint32_t thread, int64_t from, int64_t to)
{
	const struct weighing *w = context;

	measures_add(w->measures, &w->rank->rows[subject].worth, thread, from, to);
}

static void rows_weigh(struct rank *r, const struct graph *g, const struct critical_path *p,
		       const struct subjects *s)
{
	struct measures *m = measures_of(g, p);
	struct weighing w = {m, r};

	for (size_t i = 0; i < s->all.n; i++) {
		r->rows[i].kind = s->all.at[i].kind;
		r->rows[i].name = s->all.at[i].name;
	}
	r->busy = measures_busy(m);
	subjects_each(s, NULL, time_weigh, &w);
	measures_free(m);
}

/* ---- zeroing ---- */

static int by_path(const void *a, const void *b)
{
	const struct rank_row *const *x = a, *const *y = b;

	if ((*x)->kind != (*y)->kind)
		return (int)(*x)->kind - (int)(*y)->kind;
	return ((*x)->worth.path < (*y)->worth.path) - ((*x)->worth.path > (*y)->worth.path);
}

/* Of each kind what has the most time on the path. The others have nothing there, or are not looked at. */
static void rows_choose(struct rank *r, bool *chosen)
{
	struct rank_row **order = array_new(r->n, sizeof *order);
	unsigned done[NSUBJECTS] = {0};

	for (size_t i = 0; i < r->n; i++)
		order[i] = &r->rows[i];
	if (r->n)
		qsort(order, r->n, sizeof *order, by_path);
	for (size_t i = 0; i < r->n; i++) {
		bool on_path = order[i]->worth.path > 0;

		order[i]->found = !on_path || done[order[i]->kind]++ < RANK_ZEROED;
		chosen[order[i] - r->rows] = on_path && order[i]->found;
	}
	free(order);
}

static void time_take(void *context, size_t subject, uint32_t thread, int64_t from, int64_t to)
{
	struct part **parts = context;

	part_add(parts[subject], thread, from, to);
}

static void rows_zero(struct rank *r, const struct graph *g, const struct subjects *s, bool slack)
{
	bool *chosen = array_zero(r->n, sizeof *chosen);
	struct part **parts = array_zero(r->n, sizeof *parts);
	struct longest *l = longest_new(g);
	double whole = longest_path(l, NULL, 1).length;

	rows_choose(r, chosen);
	for (size_t i = 0; i < r->n; i++)
		parts[i] = chosen[i] ? part_new(g->trace->nthreads) : NULL;
	subjects_each(s, chosen, time_take, parts);
	for (size_t i = 0; i < r->n; i++)
		if (chosen[i]) {
			part_close(parts[i]);
			r->rows[i].zeroing = whole - longest_path(l, parts[i], 0).length;
			if (slack)
				r->rows[i].slack = longest_slack(l, parts[i]);
			part_free(parts[i]);
		}
	longest_free(l);
	free(parts);
	free(chosen);
}

/* ---- all ---- */

static int by_gain(const void *a, const void *b)
{
	const struct rank_row *x = a, *y = b;

	if (x->zeroing != y->zeroing)
		return x->zeroing < y->zeroing ? 1 : -1;
	if (x->worth.path != y->worth.path)
		return x->worth.path < y->worth.path ? 1 : -1;
	return (x->worth.time < y->worth.time) - (x->worth.time > y->worth.time);
}

struct rank *rank_of(const struct graph *g, const struct critical_path *p, struct trace *t,
		     unsigned kinds, bool slack)
{
	struct rank *r = array_zero(1, sizeof *r);
	struct subjects *s = subjects_of(g, t, kinds);

	r->duration = t->duration;
	for (uint32_t i = 0; i < t->nthreads; i++)
		r->lives += g->threads[i].end - g->threads[i].begin;
	r->n = s->all.n;
	r->rows = array_zero(r->n, sizeof *r->rows);
	rows_weigh(r, g, p, s);
	rows_zero(r, g, s, slack);
	if (r->n)
		qsort(r->rows, r->n, sizeof *r->rows, by_gain);
	subjects_free(s);
	return r;
}

void rank_free(struct rank *r)
{
	free(r->rows);
	free(r);
}
