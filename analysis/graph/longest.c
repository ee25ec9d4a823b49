#include "analysis/graph/longest.h"
#include "analysis/graph/path_nodes.h"
#include "base/array.h"
#include "base/search.h"
#include <math.h>
#include <stdlib.h>

struct longest {
	struct path_nodes nodes;
	int64_t *begins; /* of each thread; INT64_MAX: it has no events */
};

struct longest *longest_new(const struct graph *g)
{
	struct longest *l = array_new(1, sizeof *l);

	path_nodes_make(&l->nodes, g);
	l->begins = array_new(l->nodes.nthreads, sizeof *l->begins);
	for (uint32_t t = 0; t < l->nodes.nthreads; t++)
		l->begins[t] = g->threads[t].n ? g->threads[t].begin : INT64_MAX;
	return l;
}

void longest_free(struct longest *l)
{
	path_nodes_free(&l->nodes);
	free(l->begins);
	free(l);
}

/* ---- asks: the part's time in each gap, which ends at a point of its thread ---- */

/* What a gap has beyond what its 32 bits hold. */
struct excess {
	size_t gap;
	int64_t time;
};

struct longest_ask {
	const struct longest *longest;
	uint32_t *gaps;               /* ns, by point */
	VECTOR(struct excess) excess; /* by gap; perhaps several of one */
	uint32_t thread;              /* of the newest span */
	int64_t until;                /* its end */
	size_t at;                    /* the first point after its beginning */
};

struct longest_ask *longest_ask_new(const struct longest *l)
{
	struct longest_ask *a = array_zero(1, sizeof *a);

	a->longest = l;
	a->gaps = array_zero(l->nodes.npoints, sizeof *a->gaps);
	a->thread = NO_THREAD;
	return a;
}

void longest_ask_free(struct longest_ask *a)
{
	free(a->gaps);
	free(a->excess.at);
	free(a);
}

size_t longest_ask_bytes(const struct longest *l)
{
	return sizeof(struct longest_ask) + l->nodes.npoints * sizeof(uint32_t);
}

static void gap_add(struct longest_ask *a, size_t gap, int64_t time)
{
	if (time <= (int64_t)(UINT32_MAX - a->gaps[gap]))
		a->gaps[gap] += (uint32_t)time;
	else
		*vector_add(&a->excess) = (struct excess){gap, time};
}

/* Returns the first point after a time: spans come in order, most of them near the last one. */
static size_t point_after(const int64_t *times, size_t at, size_t end, int64_t time)
{
	size_t step = 1, from = at;

	while (at < end && times[at] <= time) {
		from = at + 1;
		at = step < end - at ? at + step : end;
		step *= 2;
	}
	return lower_bound(i, from, at, times[i] <= time);
}

void longest_ask_add(struct longest_ask *a, uint32_t thread, int64_t from, int64_t to)
{
	const struct path_nodes *n = &a->longest->nodes;
	size_t end = n->first_point[thread + 1];

	if (thread != a->thread) {
		a->thread = thread;
		a->at = n->first_point[thread];
		a->until = a->longest->begins[thread];
	}
	if (from < a->until)
		from = a->until;
	if (from >= to)
		return;
	a->until = to;
	a->at = point_after(n->times, a->at, end, from);
	for (; a->at < end && from < to; a->at++) {
		int64_t here = n->times[a->at] < to ? n->times[a->at] : to;

		gap_add(a, a->at, here - from);
		from = here;
		if (to < n->times[a->at])
			break;
	}
}

/* ---- values ---- */

/* All are whole numbers, of which sums are exact below 2^53: 104 days. */
struct node_value {
	double length; /* if all of the part is kept */
	double part;   /* what of it cuts adds to that */
};

struct edges {
	double a, b; /* the part's time on the two edges to a node */
};

struct longest_work {
	const struct longest *longest;
	struct edges *edges;       /* of each node */
	struct node_value *values; /* of each node */
	struct path_length zeroed; /* the path without the part */
	bool is_zeroed;            /* zeroed is known */
};

struct longest_work *longest_work_new(const struct longest *l)
{
	struct longest_work *w = array_zero(1, sizeof *w);

	w->longest = l;
	w->edges = array_new(l->nodes.all.n, sizeof *w->edges);
	w->values = array_new(l->nodes.all.n, sizeof *w->values);
	w->values[NODE_START] = (struct node_value){0, 0};
	w->values[NODE_NEVER] = (struct node_value){-INFINITY, 0};
	return w;
}

void longest_work_free(struct longest_work *w)
{
	free(w->edges);
	free(w->values);
	free(w);
}

size_t longest_work_bytes(const struct longest *l)
{
	return sizeof(struct longest_work) +
	       l->nodes.all.n * (sizeof(struct edges) + sizeof(struct node_value));
}

static void point_use(struct edges *edges, point_target target, double part)
{
	struct edges *e = &edges[target >> 2];

	switch ((enum point_use)(target & 3)) {
	case POINT_ADDS_A:
		e->a += part;
		break;
	case POINT_ADDS_BOTH:
		e->a += part;
		e->b += part;
		break;
	case POINT_SUBTRACTS_A:
		e->a -= part;
		break;
	case POINT_SUBTRACTS_B:
		e->b -= part;
		break;
	}
}

void longest_work_load(struct longest_work *w, const struct longest_ask *a)
{
	memset(w->edges, 0, w->longest->nodes.all.n * sizeof *w->edges);
	w->is_zeroed = false;
	if (a)
		longest_work_add(w, a);
}

void longest_work_add(struct longest_work *w, const struct longest_ask *a)
{
	const struct path_nodes *n = &w->longest->nodes;
	size_t excess = 0;

	w->is_zeroed = false;
	for (uint32_t t = 0; t < n->nthreads; t++) {
		double part = 0;

		for (size_t i = n->first_point[t]; i < n->first_point[t + 1]; i++) {
			part += a->gaps[i];
			for (; excess < a->excess.n && a->excess.at[excess].gap == i; excess++)
				part += (double)a->excess.at[excess].time;
			point_use(w->edges, n->targets[i], part);
		}
	}
}

/* Finds the values of all nodes where `cut` of the part's time is cut: 0 to 1. */
static void values_find(struct longest_work *w, double cut)
{
	const struct path_node *nodes = w->longest->nodes.all.at;
	size_t n = w->longest->nodes.all.n;

	for (size_t i = NCONSTANT_NODES; i < n; i++) {
		struct node_value a = w->values[nodes[i].a], b = w->values[nodes[i].b];
		double la, lb;

		a.length += (double)nodes[i].length;
		a.part += w->edges[i].a;
		b.part += w->edges[i].b;
		la = a.length + cut * a.part;
		lb = b.length + cut * b.part;
		/*
		 * Of equal paths the one with less of the part stays the longest when more is cut.
		 */
		w->values[i] = la > lb || (la == lb && a.part > b.part) ? a : b;
	}
}

struct path_length longest_work_path(struct longest_work *w, double kept)
{
	const struct path_nodes *n = &w->longest->nodes;
	struct path_length longest = {0};

	if (kept == 0 && w->is_zeroed)
		return w->zeroed;
	values_find(w, 1 - kept);
	for (size_t i = n->first_end; i < n->all.n; i++) {
		const struct node_value *v = &w->values[i];
		double length = v->length + (1 - kept) * v->part;

		if (length > longest.length ||
		    (length == longest.length && -v->part < longest.part))
			longest = (struct path_length){length, -v->part};
	}
	if (kept == 0) {
		w->zeroed = longest;
		w->is_zeroed = true;
	}
	return longest;
}

/*
 * The length is a convex function of how much is cut, made of lines, one for each path. Where the
 * line of the longest path uncut meets that of the longest one when more is cut, less may be cut;
 * until the longest one there is the first one again (Newton's method on lines: it ends).
 */
double longest_work_slack(struct longest_work *w)
{
	struct path_length whole = longest_work_path(w, 1);
	double cut = 1;

	while (whole.part > 0) {
		struct path_length there = longest_work_path(w, 1 - cut);
		double line = whole.length - cut * whole.part, meet;

		if (there.length <= line + 1e-3 || there.part >= whole.part)
			return cut * whole.part;
		/* the other path's line: there.length + (cut - x) * there.part */
		meet = (whole.length - there.length - cut * there.part) / (whole.part - there.part);
		if (meet >= cut)
			return cut * whole.part;
		cut = meet > 0 ? meet : 0;
		if (cut == 0)
			return 0;
	}
	return 0;
}

/* ---- parts that are kept ---- */

static struct longest_work *work_of_part(const struct longest *l, const struct span_subset *p)
{
	struct longest_work *w = longest_work_new(l);
	struct longest_ask *a = longest_ask_new(l);

	for (uint32_t t = 0; p && t < p->nthreads; t++)
		for (size_t i = p->first[t]; i < p->first[t + 1]; i++)
			longest_ask_add(a, t, p->spans.at[i].from, p->spans.at[i].to);
	longest_work_load(w, a);
	longest_ask_free(a);
	return w;
}

struct path_length longest_path(const struct longest *l, const struct span_subset *p, double kept)
{
	struct longest_work *w = work_of_part(l, p);
	struct path_length found = longest_work_path(w, kept);

	longest_work_free(w);
	return found;
}
