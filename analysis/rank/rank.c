#include "analysis/rank/rank.h"
#include "analysis/graph/longest.h"
#include <stdlib.h>

/* The spans of a subject, each moment once. */
static struct part *subject_part(const struct graph *g, const struct subjects *s,
				 const struct subject *subject)
{
	struct part *p = part_new(g->trace->nthreads);

	for (size_t i = subject->first; i < subject->first + subject->n; i++)
		part_add(p, s->spans[i].thread, s->spans[i].start, s->spans[i].end);
	part_close(p);
	return p;
}

/* Adds what the spans of a subject are worth, each moment once. */
static void subject_worth(const struct measures *m, const struct subjects *s,
			  const struct subject *subject, struct worth *w)
{
	size_t end = subject->first + subject->n;

	for (size_t i = subject->first; i < end;) {
		struct listed_span span = s->spans[i++];

		while (i < end && s->spans[i].thread == span.thread && s->spans[i].start <= span.end) {
			if (s->spans[i].end > span.end)
				span.end = s->spans[i].end;
			i++;
		}
		if (span.start < span.end)
			measures_add(m, w, span.thread, span.start, span.end);
	}
}

static int by_path(const void *a, const void *b)
{
	const struct rank_row *const *x = a, *const *y = b;

	if ((*x)->kind != (*y)->kind)
		return (int)(*x)->kind - (int)(*y)->kind;
	return ((*x)->worth.path < (*y)->worth.path) - ((*x)->worth.path > (*y)->worth.path);
}

/* Zeroes what has the most time on the path, of each kind. */
static void rows_zero(struct rank *r, const struct graph *g, const struct subjects *s)
{
	struct rank_row **order = array_new(r->n, sizeof *order);
	struct longest *l = longest_new(g);
	double whole = longest_path(l, NULL, 1).length;
	unsigned done[NSUBJECTS] = {0};

	for (size_t i = 0; i < r->n; i++)
		order[i] = &r->rows[i];
	qsort(order, r->n, sizeof *order, by_path);
	for (size_t i = 0; i < r->n; i++) {
		struct part *p;

		order[i]->found = !order[i]->worth.path || done[order[i]->kind]++ < RANK_ZEROED;
		if (!order[i]->worth.path || !order[i]->found)
			continue;
		p = subject_part(g, s, &s->at[order[i] - r->rows]);
		order[i]->zeroing = whole - longest_path(l, p, 0).length;
		order[i]->slack = longest_slack(l, p);
		part_free(p);
	}
	longest_free(l);
	free(order);
}

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
		     unsigned kinds)
{
	struct rank *r = array_zero(1, sizeof *r);
	struct measures *m = measures_of(g, p);
	struct subjects *s = subjects_of(g, t, kinds);

	r->duration = t->duration;
	r->busy = measures_busy(m);
	for (uint32_t i = 0; i < t->nthreads; i++)
		r->lives += g->threads[i].end - g->threads[i].begin;
	r->n = s->n;
	r->rows = array_zero(r->n, sizeof *r->rows);
	for (size_t i = 0; i < s->n; i++) {
		r->rows[i].kind = s->at[i].kind;
		r->rows[i].name = s->at[i].name;
		subject_worth(m, s, &s->at[i], &r->rows[i].worth);
	}
	rows_zero(r, g, s);
	qsort(r->rows, r->n, sizeof *r->rows, by_gain);
	subjects_free(s);
	measures_free(m);
	return r;
}

void rank_free(struct rank *r)
{
	free(r->rows);
	free(r);
}
