#include "viewers/nibble/series/combine.h"
#include "viewers/nibble/series/curve_cursor.h"
#include <math.h>
#include <string.h>

double operation_apply(enum arithmetic op, double a, double b)
{
	switch (op) {
	case OPERATION_ADD:
		return a + b;
	case OPERATION_SUB:
		return a - b;
	case OPERATION_MUL:
		return a * b;
	default:
		return b == 0 ? NAN : a / b;
	}
}

static struct dimension combine_result_dimension(enum arithmetic op, struct dimension a,
						 struct dimension b)
{
	switch (op) {
	case OPERATION_MUL:
		return dimension_product(a, b);
	case OPERATION_DIV:
		return dimension_quotient(a, b);
	default:
		return dimension_sum(a, b);
	}
}

/* The word for the axis survives where the result is still the same sort of thing. */
static const char *result_quantity(enum arithmetic op, const struct curve *a, const struct curve *b)
{
	bool sums = op == OPERATION_ADD || op == OPERATION_SUB;

	if (b->shape == SHAPE_CONSTANT && (sums || dimension_equal(b->dimension, DIMENSION_NONE)))
		return a->quantity;
	if (a->shape == SHAPE_CONSTANT &&
	    (sums || (op == OPERATION_MUL && dimension_equal(a->dimension, DIMENSION_NONE))))
		return b->quantity;
	if (sums && a->quantity && b->quantity && strcmp(a->quantity, b->quantity) == 0)
		return a->quantity;
	return NULL;
}

/* Sums of sums grow with the length of a window, and multiples of them; a sum by a sum does not. */
static double window_of(enum arithmetic op, const struct curve *a, const struct curve *b)
{
	if (op == OPERATION_ADD || op == OPERATION_SUB)
		return a->window == b->window ? a->window : 0;
	if (op == OPERATION_MUL && a->shape == SHAPE_CONSTANT)
		return b->window;
	return b->shape == SHAPE_CONSTANT && (op == OPERATION_MUL || op == OPERATION_DIV)
		   ? a->window
		   : 0;
}

/* An empty result in the likeness of one operand. */
static struct curve *combine_result_of(enum arithmetic op, const struct curve *like,
				       const struct curve *a, const struct curve *b)
{
	struct curve *r = curve_like(like);
	const struct curve *member = a->group ? a : b;

	r->dimension = combine_result_dimension(op, a->dimension, b->dimension);
	r->window = window_of(op, a, b);
	curve_set_string(&r->title, NULL);
	curve_set_string(&r->part, NULL);
	curve_set_string(&r->quantity, result_quantity(op, a, b));
	curve_set_string(&r->group, member->group);
	r->key = member->key;
	return r;
}

static struct curve *combine_constant(enum arithmetic op, const struct curve *a,
				      const struct curve *b)
{
	bool left = a->shape == SHAPE_CONSTANT;
	const struct curve *s = left ? b : a;
	double c = left ? a->y[0] : b->y[0];
	struct curve *r = combine_result_of(op, s, a, b);

	r->before = left ? operation_apply(op, c, s->before) : operation_apply(op, s->before, c);
	for (size_t i = 0; i < s->n; i++)
		curve_append(r, s->x[i],
			     left ? operation_apply(op, c, s->y[i])
				  : operation_apply(op, s->y[i], c));
	if (s->shape == SHAPE_CELLS && s->n > 0)
		curve_close(r, s->x[s->n]);
	return r;
}

/* The operand's value over one cell: its own value where the cell is its own, else its mean. */
static struct curve *combine_cells(enum arithmetic op, const struct curve *grid,
				   const struct curve *a, const struct curve *b)
{
	struct curve *r = combine_result_of(op, grid, a, b);
	struct curve_cursor left = CURSOR(a), right = CURSOR(b);

	for (size_t i = 0; i < grid->n; i++) {
		double from = grid->x[i], to = grid->x[i + 1];

		curve_append(r, from,
			     operation_apply(op, cursor_mean(&left, from, to),
					     cursor_mean(&right, from, to)));
	}
	if (grid->n > 0)
		curve_close(r, grid->x[grid->n]);
	return r;
}

/* What steps are before their first change; what holds points does not exist before the first. */
static double before(const struct curve *s)
{
	return s->shape == SHAPE_STEPS ? s->before : NAN;
}

static struct curve *combine_union(enum arithmetic op, const struct curve *a, const struct curve *b)
{
	bool lines = a->shape == SHAPE_LINES || b->shape == SHAPE_LINES;
	struct curve *r = combine_result_of(op, a, a, b);
	struct curve_cursor ca = CURSOR(a), cb = CURSOR(b);
	double x;

	r->shape = lines ? SHAPE_LINES : SHAPE_STEPS;
	r->before = operation_apply(op, before(a), before(b));
	r->end = fmax(curve_last(a), curve_last(b));
	while (x = fmin(cursor_next(&ca), cursor_next(&cb)), !isinf(x)) {
		double l = operation_apply(op, cursor_left(&ca, x), cursor_left(&cb, x));
		double y = operation_apply(op, cursor_right(&ca, x), cursor_right(&cb, x));

		if (lines && l != y && !isnan(l))
			curve_append(r, x, l);
		curve_append(r, x, y);
	}
	return r;
}

/* The average length of a cell. */
static double coarseness(const struct curve *s)
{
	return s->n > 0 ? (s->x[s->n] - s->x[0]) / (double)s->n : INFINITY;
}

struct curve *curve_combine(enum arithmetic op, const struct curve *a, const struct curve *b)
{
	if (a->shape == SHAPE_CONSTANT || b->shape == SHAPE_CONSTANT)
		return combine_constant(op, a, b);
	if (a->shape == SHAPE_CELLS && b->shape == SHAPE_CELLS)
		return combine_cells(op, coarseness(a) <= coarseness(b) ? a : b, a, b);
	if (a->shape == SHAPE_CELLS || b->shape == SHAPE_CELLS)
		return combine_cells(op, a->shape == SHAPE_CELLS ? a : b, a, b);
	return combine_union(op, a, b);
}

struct curve *curve_negate(const struct curve *s)
{
	struct curve *r = curve_like(s);

	r->before = -s->before;
	curve_set_string(&r->title, NULL);
	curve_set_string(&r->part, NULL);
	for (size_t i = 0; i < s->n; i++)
		curve_append(r, s->x[i], -s->y[i]);
	if (s->shape == SHAPE_CELLS && s->n > 0)
		curve_close(r, s->x[s->n]);
	return r;
}

static bool is_single(const struct family *f)
{
	return f->n == 1 && !f->at[0]->group;
}

struct family family_combine(enum arithmetic op, const struct family *a, const struct family *b)
{
	struct family r = {0};

	for (size_t i = 0; i < a->n; i++)
		for (size_t j = 0; j < b->n; j++)
			if (is_single(a) || is_single(b) || a->at[i]->key == b->at[j]->key)
				family_append(&r, curve_combine(op, a->at[i], b->at[j]));
	return r;
}
