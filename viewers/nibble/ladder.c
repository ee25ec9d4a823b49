#include "viewers/nibble/ladder.h"

#include "trace/parallel.h"
#include "viewers/nibble/climb.h"
#include "viewers/nibble/combine.h"
#include "viewers/nibble/source.h"
#include "viewers/nibble/tally.h"
#include "viewers/vector.h"

#include <math.h>
#include <stdlib.h>

/* ---- which expressions ---- */

/* How many steps a curve may have, at most; 0: it is none. */
static uint64_t steps_of(const struct evaluation *v, const struct node *n)
{
	const struct subject *s = &n->source.subject;

	if (n->source.per != PER_NOTHING)
		return 0;
	switch (n->function->kind) {
	case FUNCTION_COUNT:
	case FUNCTION_OPEN:
	case FUNCTION_UNMATCHED:
		return evaluation_events(v, s->event ? s->event
						     : end_event(&s->interval->anchor));
	default:
		return 0;
	}
}

/* Adds up the steps of all sources. False: there is something else in it. */
static bool is_of_steps(const struct evaluation *v, const struct node *n, uint64_t *steps)
{
	uint64_t own;

	switch (n->kind) {
	case NODE_CONSTANT:
		return true;
	case NODE_SOURCE:
		own = steps_of(v, n);
		*steps += own;
		return own > 0;
	case NODE_NEGATE:
		return is_of_steps(v, n->left, steps);
	case NODE_TRANSFORM:
		return false;
	default:
		return is_of_steps(v, n->left, steps) && is_of_steps(v, n->right, steps);
	}
}

/* A count of events alone needs only its ends: see tally.h. */
static bool is_plain_count(const struct node *n)
{
	return n->kind == NODE_SOURCE && n->function->kind == FUNCTION_COUNT && n->source.subject.event;
}

bool ladder_is(const struct evaluation *v, const struct node *n)
{
	uint64_t steps = 0;

	return v->drawing && !v->canvas.log_x && !is_plain_count(n) &&
	       is_of_steps(v, n, &steps) && steps > 0 && steps >= tally_least;
}

/* ---- the sweep ---- */

struct vertex {
	double x, y;
};

/* What is drawn of a piece, in order of time. */
struct drawn {
	struct vertex at[4];
	unsigned n;
};

struct ladder {
	const struct node *node;
	struct climb **climbs; /* of each source, in the order in which the expression names them */
	size_t n;
	struct drawn *drawn; /* of each piece */
};

/* The value of the expression, of those of its sources; next: the first that was not used. */
static double value_of(const struct node *n, const double *values, size_t *next)
{
	double left, right;

	switch (n->kind) {
	case NODE_CONSTANT:
		return n->number;
	case NODE_SOURCE:
		return values[(*next)++];
	case NODE_NEGATE:
		return -value_of(n->left, values, next);
	default:
		left = value_of(n->left, values, next);
		right = value_of(n->right, values, next);
		return operation_apply(n->op, left, right);
	}
}

struct extremes {
	struct vertex first, last, least, greatest;
	bool any;
};

static void extremes_take(struct extremes *e, struct vertex v)
{
	if (!e->any)
		*e = (struct extremes){v, v, v, v, true};
	if (v.y < e->least.y || isnan(e->least.y))
		e->least = v;
	if (v.y > e->greatest.y || isnan(e->greatest.y))
		e->greatest = v;
	e->last = v;
}

static void drawn_add(struct drawn *d, struct vertex v)
{
	if (d->n == 0 || d->at[d->n - 1].x < v.x)
		d->at[d->n++] = v;
}

static struct drawn drawn_of(const struct extremes *e)
{
	bool falls = e->greatest.x < e->least.x;
	struct drawn d = {.n = 0};

	if (!e->any)
		return d;
	drawn_add(&d, e->first);
	drawn_add(&d, falls ? e->greatest : e->least);
	drawn_add(&d, falls ? e->least : e->greatest);
	drawn_add(&d, e->last);
	return d;
}

/* The time of the next step of any source; INFINITY: there is none in this piece. */
static double next_step(const struct footing *footings, size_t n)
{
	double next = INFINITY;

	for (size_t i = 0; i < n; i++)
		next = footings[i].next < next ? footings[i].next : next;
	return next;
}

static void piece_sweep(void *context, size_t piece, unsigned worker)
{
	const struct ladder *l = context;
	struct footing footings[l->n];
	double values[l->n], x;
	struct extremes e = {.any = false};

	for (size_t i = 0; i < l->n; i++) {
		footings[i] = climb_piece(l->climbs[i], piece, worker);
		values[i] = footings[i].value;
	}
	while (x = next_step(footings, l->n), x < INFINITY) {
		size_t next = 0;

		for (size_t i = 0; i < l->n; i++)
			if (footings[i].next == x)
				values[i] = footing_step(&footings[i]);
		extremes_take(&e, (struct vertex){x, value_of(l->node, values, &next)});
	}
	l->drawn[piece] = drawn_of(&e);
}

static double value_before(const struct ladder *l)
{
	double values[l->n + 1];
	size_t next = 0;

	for (size_t i = 0; i < l->n; i++)
		values[i] = climb_before(l->climbs[i]);
	return value_of(l->node, values, &next);
}

/* ---- all of it ---- */

/* The curve without a step: what it measures, and what it is called. */
static struct series *hollow(const struct node *n)
{
	struct series *left, *right, *s;

	if (n->kind == NODE_CONSTANT)
		return series_constant(n->number, n->dimension);
	if (n->kind == NODE_SOURCE) {
		s = series_new(SHAPE_STEPS, n->dimension);
		series_set_string(&s->quantity, source_quantity(n));
		return s;
	}
	left = hollow(n->left);
	right = n->right ? hollow(n->right) : NULL;
	s = right ? series_combine(n->op, left, right) : series_negate(left);
	series_free(left);
	series_free(right);
	return s;
}

static void climbs_add(struct ladder *l, struct evaluation *v, const struct node *n)
{
	if (n->kind == NODE_SOURCE) {
		l->climbs = reallocarray(l->climbs, l->n + 1, sizeof(struct climb *));
		if (!l->climbs)
			memory_exhausted();
		l->climbs[l->n++] = climb_new(v, n);
		return;
	}
	if (n->left)
		climbs_add(l, v, n->left);
	if (n->right)
		climbs_add(l, v, n->right);
}

struct series *ladder_drawn(struct evaluation *v, const struct node *n)
{
	struct ladder l = {.node = n};
	struct series *s = hollow(n);

	climbs_add(&l, v, n);
	l.drawn = zeroed(CLIMB_PIECES, sizeof *l.drawn);
	parallel_for(CLIMB_PIECES, piece_sweep, &l);
	s->before = value_before(&l);
	s->end = v->range.to;
	for (size_t i = 0; i < CLIMB_PIECES; i++)
		for (unsigned k = 0; k < l.drawn[i].n; k++)
			series_append(s, l.drawn[i].at[k].x, l.drawn[i].at[k].y);
	for (size_t i = 0; i < l.n; i++)
		climb_free(l.climbs[i]);
	free(l.climbs);
	free(l.drawn);
	return s;
}
