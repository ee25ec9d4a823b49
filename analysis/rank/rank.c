#include "analysis/rank/rank.h"
#include "analysis/graph/longest.h"
#include "base/parallel.h"
#include <stdlib.h>

/* ---- what each is worth ---- */

/*
 * The threads are weighed in some blocks at the same time. What the blocks have is added in their order:
 * sums of real numbers are the same in each run.
 */
enum { BLOCKS = 16 };

struct weighing {
	const struct measures *measures;
	const struct subjects *subjects;
	struct worth *worth;            /* by block, then subject */
};

struct weighed_block {
	const struct measures *measures;
	struct worth *worth;
	struct measure_cursor *cursors;
};

static void time_weigh(void *context, size_t subject, uint32_t thread, int64_t from, int64_t to)
{
	const struct weighed_block *b = context;

	measures_add(b->measures, &b->worth[subject], &b->cursors[subject], thread, from, to);
}

static void block_weigh(void *context, size_t block, unsigned worker)
{
	const struct weighing *w = context;
	uint64_t nthreads = w->subjects->set->trace->nthreads;
	struct weighed_block b = {w->measures, w->worth + block * w->subjects->all.n,
				  array_zero(w->subjects->all.n, sizeof *b.cursors)};

	(void)worker;
	subjects_each_between(w->subjects, (uint32_t)(nthreads * block / BLOCKS),
			      (uint32_t)(nthreads * (block + 1) / BLOCKS), NULL, time_weigh, &b);
	free(b.cursors);
}

static void worth_add(struct worth *to, const struct worth *w)
{
	to->time += w->time;
	to->cpu += w->cpu;
	to->npt += w->npt;
	to->path += w->path;
}

static void rows_weigh(struct rank *r, const struct graph *g, const struct critical_path *p,
		       const struct subjects *s)
{
	struct weighing w = {measures_of(g, p), s, array_zero(BLOCKS * s->all.n, sizeof *w.worth)};

	for (size_t i = 0; i < s->all.n; i++) {
		r->rows[i].kind = s->all.at[i].kind;
		r->rows[i].key = s->all.at[i].key;
		r->rows[i].name = s->all.at[i].name;
	}
	r->busy = measures_busy(w.measures);
	parallel_for(BLOCKS, block_weigh, &w);
	for (size_t block = 0; block < BLOCKS; block++)
		for (size_t i = 0; i < s->all.n; i++)
			worth_add(&r->rows[i].worth, &w.worth[block * s->all.n + i]);
	free(w.worth);
	measures_free((struct measures *)w.measures);
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

struct rank *rank_of(const struct instance_set *set, const struct graph *g, const struct critical_path *p,
		     unsigned kinds, const struct subject_choice *only, bool slack)
{
	struct rank *r = array_zero(1, sizeof *r);
	struct subjects *s = subjects_of(set, g, kinds, only);
	const struct trace *t = set->trace;

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
