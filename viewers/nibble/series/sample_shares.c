#include "viewers/nibble/series/sample_shares.h"
#include "analysis/flame/time_window.h"
#include "base/nearest.h"
#include "trace/label.h"
#include "viewers/nibble/series/sampled.h"
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

/* ---- which call paths are meant ---- */

static bool name_fits(const char *pattern, const char *name)
{
	/* names such as operator* are their own patterns, too */
	return strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

/* Marks the paths that have the function, or end with it; returns whether there is one. */
static bool paths_mark(const struct flame *f, const struct sample_set *s, bool *marked)
{
	bool *inside = array_zero(f->nodes.n, sizeof *inside);
	bool any = false;

	for (size_t i = 1; i < f->nodes.n; i++) {
		const struct flame_node *n = &f->nodes.at[i];

		inside[i] = !s->function || inside[n->parent] || name_fits(s->function, n->name);
		marked[i] = inside[i] && (!s->self || name_fits(s->self, n->name));
		any |= marked[i];
	}
	free(inside);
	return any;
}

/* ---- their time ---- */

struct window_times {
	const struct windows *windows;
	double *times;
	size_t hint;
};

static void stretch_cover(void *context, int64_t from, int64_t to)
{
	struct window_times *c = context;

	windows_cover(c->windows, c->times, (double)from, (double)to, &c->hint);
}

static void paths_cover(const struct time_window *times, const struct windows *g, size_t thread,
			const bool *marked, double *covered)
{
	struct window_times c = {g, covered, 0};

	time_window_stretches(times, FLAME_CPU, thread, (int64_t)floor(g->edges[0]),
			      (int64_t)ceil(g->edges[g->n]), marked, stretch_cover, &c);
}

static struct curve *curve_of(const struct windows *g, const double *part, const double *all)
{
	struct curve *c = curve_new(SHAPE_CELLS, DIMENSION_NONE);

	for (size_t i = 0; i < g->n; i++)
		curve_append(c, g->edges[i], all[i] > 0 ? fmin(part[i] / all[i], 1) : NAN);
	curve_close(c, g->edges[g->n]);
	curve_set_string(&c->quantity, "share of running time");
	return c;
}

static bool has_any(const double *times, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (times[i] > 0)
			return true;
	return false;
}

/* ---- all ---- */

struct shares {
	struct evaluation *evaluation;
	const struct time_window *times;
	const struct node *node;
	struct windows windows;
	bool *marked, *every; /* paths */
	double *part, *all;   /* of each window */
};

static void member_add(struct shares *s, size_t thread, struct family *f)
{
	const struct trace_thread *t = &s->evaluation->trace->threads[thread];
	struct curve *c;

	if (!has_any(s->all, s->windows.n))
		return;
	c = curve_of(&s->windows, s->part, s->all);
	c->key = t->number;
	c->group = text_format("%s", t->label);
	family_append(f, c);
	memset(s->part, 0, s->windows.n * sizeof *s->part);
	memset(s->all, 0, s->windows.n * sizeof *s->all);
}

static struct family shares_of(struct shares *s)
{
	const struct sample_set *set = s->node->source.subject.samples;
	const struct trace *t = s->evaluation->trace;
	bool *selected = evaluation_threads(s->evaluation, &s->node->source);
	bool single = s->node->source.per == PER_NOTHING;
	struct family f = {0};

	for (unsigned i = 0; i < t->nthreads; i++) {
		if (!selected[i])
			continue;
		paths_cover(s->times, &s->windows, i, s->every, s->all);
		if (!set->thread || label_matches(set->thread, &t->threads[i]))
			paths_cover(s->times, &s->windows, i, s->marked, s->part);
		if (!single)
			member_add(s, i, &f);
	}
	if (single && (has_any(s->all, s->windows.n) || s->evaluation->allow_empty))
		family_append(&f, curve_of(&s->windows, s->part, s->all));
	free(selected);
	return f;
}

static const char *nearest_function(const struct flame *f, const char *name)
{
	const char **names = array_new(f->nodes.n, sizeof *names), *near;
	size_t n = 0;

	for (size_t i = 1; i < f->nodes.n; i++)
		names[n++] = f->nodes.at[i].name;
	near = nearest_name(name, names, n);
	free(names);
	return near;
}

/* Reports that no path is meant. */
static void refuse_paths(struct evaluation *v, const struct node *n, const struct flame *f)
{
	const struct sample_set *s = n->source.subject.samples;
	const char *name = s->self ? s->self : s->function, *near;

	if (f->nodes.n == 1 || !name) {
		diag_error(
		    v->diag, n->where,
		    "the trace has no samples of call stacks; record them with glimpse record");
		return;
	}
	near = nearest_function(f, name);
	diag_unknown(v->diag, n->where, near,
		     near ? "no sample has the function '%s'"
			  : "no sample has the function '%s'; glimpse profile lists them",
		     name);
}

struct family sample_shares(void *times, struct evaluation *v, const struct node *n)
{
	struct shares s = {.evaluation = v, .node = n};
	struct time_window **made = times;
	const struct flame *flame;
	struct family f = {0};

	if (!*made)
		*made = time_window_of(v->trace);
	s.times = *made;
	flame = time_window_flame(s.times, FLAME_CPU);
	s.marked = array_zero(flame->nodes.n, sizeof *s.marked);
	if (!paths_mark(flame, n->source.subject.samples, s.marked) && !v->allow_empty) {
		v->nothing = true;
		refuse_paths(v, n, flame);
		free(s.marked);
		return f;
	}
	s.every = array_zero(flame->nodes.n, sizeof *s.every);
	for (size_t i = 1; i < flame->nodes.n; i++)
		s.every[i] = true;
	s.windows = windows_make(v->range, evaluation_window(v, n));
	s.part = array_zero(s.windows.n, sizeof *s.part);
	s.all = array_zero(s.windows.n, sizeof *s.all);
	f = shares_of(&s);
	if (!f.n && !v->allow_empty) {
		v->nothing = true;
		diag_error(
		    v->diag, n->where,
		    "the selection is empty: no sampled thread runs here; --allow-empty draws it anyway");
	}
	free(s.marked);
	free(s.every);
	free(s.part);
	free(s.all);
	windows_free(&s.windows);
	return f;
}
