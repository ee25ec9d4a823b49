#include "viewers/nibble/series/curve_cursor.h"
#include <math.h>

/* Cells have one x more than values: the right edge of the last. */
static size_t edges(const struct curve *s)
{
	return s->shape == SHAPE_CELLS && s->n > 0 ? s->n + 1 : s->n;
}

static double line_at(const struct curve *s, size_t k, double x)
{
	double part;

	if (k == 0)
		return NAN;
	if (s->x[k - 1] == x)
		return s->y[k - 1];
	if (k == s->n)
		return NAN;
	part = (x - s->x[k - 1]) / (s->x[k] - s->x[k - 1]);
	return s->y[k - 1] + part * (s->y[k] - s->y[k - 1]);
}

/* The value at x when k of the series' x have been passed. */
static double value_at(const struct curve *s, size_t k, double x)
{
	if (s->shape == SHAPE_CONSTANT)
		return s->y[0];
	if (s->shape == SHAPE_LINES)
		return line_at(s, k, x);
	if (k == 0)
		return s->shape == SHAPE_STEPS ? s->before : NAN;
	if (s->shape == SHAPE_CELLS && k > s->n)
		return NAN;
	return s->y[k - 1];
}

double cursor_left(struct curve_cursor *c, double x)
{
	const struct curve *s = c->series;

	if (s->shape == SHAPE_CONSTANT)
		return s->y[0];
	while (c->k < edges(s) && s->x[c->k] < x)
		c->k++;
	/* A vertex at x itself is its own left limit: the first of those that share its place. */
	if (s->shape == SHAPE_LINES && c->k < s->n && s->x[c->k] == x)
		return s->y[c->k];
	return value_at(s, c->k, x);
}

double cursor_right(struct curve_cursor *c, double x)
{
	const struct curve *s = c->series;

	if (s->shape == SHAPE_CONSTANT)
		return s->y[0];
	while (c->k < edges(s) && s->x[c->k] <= x)
		c->k++;
	return value_at(s, c->k, x);
}

double cursor_next(const struct curve_cursor *c)
{
	const struct curve *s = c->series;

	return s->shape != SHAPE_CONSTANT && c->k < edges(s) ? s->x[c->k] : INFINITY;
}

double cursor_mean(struct curve_cursor *c, double from, double to)
{
	double x = from, sum = 0, covered = 0;
	double y = cursor_right(c, from);

	while (x < to) {
		double next = fmin(cursor_next(c), to);
		double left = cursor_left(c, next);

		/* Between two neighbours every shape is straight: the trapezium is exact. */
		if (!isnan(y) && !isnan(left)) {
			sum += (y + left) / 2 * (next - x);
			covered += next - x;
		}
		x = next;
		if (x < to)
			y = cursor_right(c, x);
	}
	return covered > 0 ? sum / covered : NAN;
}
