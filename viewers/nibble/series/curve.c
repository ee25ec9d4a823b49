#include "viewers/nibble/series/curve.h"
#include "base/array.h"
#include <math.h>
#include <stdlib.h>

struct curve *curve_new(enum shape shape, struct dimension dimension)
{
	struct curve *s = array_zero(1, sizeof *s);

	s->shape = shape;
	s->dimension = dimension;
	s->xdimension = DIMENSION_TIME;
	return s;
}

struct curve *curve_constant(double value, struct dimension dimension)
{
	struct curve *s = curve_new(SHAPE_CONSTANT, dimension);

	curve_append(s, 0, value);
	return s;
}

void curve_set_string(char **member, const char *text)
{
	char *copy = text ? text_format("%s", text) : NULL;

	free(*member);
	*member = copy;
}

struct curve *curve_like(const struct curve *s)
{
	struct curve *copy = curve_new(s->shape, s->dimension);

	copy->distribution = s->distribution;
	copy->xdimension = s->xdimension;
	copy->key = s->key;
	copy->before = s->before;
	copy->end = s->end;
	copy->window = s->window;
	copy->absent = s->absent;
	curve_set_string(&copy->title, s->title);
	curve_set_string(&copy->quantity, s->quantity);
	curve_set_string(&copy->xquantity, s->xquantity);
	curve_set_string(&copy->group, s->group);
	curve_set_string(&copy->part, s->part);
	curve_set_string(&copy->whole, s->whole);
	curve_set_string(&copy->colour, s->colour);
	return copy;
}

void curve_free(struct curve *s)
{
	if (!s)
		return;
	free(s->title);
	free(s->quantity);
	free(s->xquantity);
	free(s->group);
	free(s->part);
	free(s->whole);
	free(s->colour);
	free(s->x);
	free(s->y);
	free(s->tiles.at);
	free(s);
}

bool curve_has_edges(const struct curve *s)
{
	return (s->shape == SHAPE_CELLS || s->shape == SHAPE_BOXES) && s->n > 0;
}

void curve_append(struct curve *s, double x, double y)
{
	if (s->n == s->xroom)
		s->x = vector_grow(s->x, s->n, &s->xroom, sizeof *s->x);
	if (s->n == s->yroom)
		s->y = vector_grow(s->y, s->n, &s->yroom, sizeof *s->y);
	s->x[s->n] = x;
	s->y[s->n++] = y;
}

void curve_close(struct curve *s, double x)
{
	s->x = vector_grow(s->x, s->n, &s->xroom, sizeof *s->x);
	s->x[s->n] = x;
}

void curve_even(struct curve *s)
{
	if (s->shape != SHAPE_CELLS || s->n < 2)
		return;
	for (size_t i = 0; s->window > 0 && i < s->n; i++)
		s->y[i] *= s->window / (s->x[i + 1] - s->x[i]);
	s->window = 0;
}

void curve_shift(struct curve *s, double by)
{
	size_t edges = curve_has_edges(s) ? s->n + 1 : s->n;

	if (s->distribution || s->shape == SHAPE_CONSTANT || by == 0)
		return;
	for (size_t i = 0; i < edges; i++)
		s->x[i] += by;
	for (size_t i = 0; i < s->tiles.n; i++) {
		s->tiles.at[i].left += by;
		s->tiles.at[i].right += by;
	}
	s->end += by;
}

double curve_last(const struct curve *s)
{
	if (s->shape == SHAPE_STEPS)
		return s->end;
	if (s->n == 0)
		return 0;
	return curve_has_edges(s) ? s->x[s->n] : s->x[s->n - 1];
}

double curve_greatest(const struct curve *s)
{
	double greatest = 0;

	for (size_t i = 0; i < s->n; i++)
		if (isfinite(s->y[i]) && fabs(s->y[i]) > greatest)
			greatest = fabs(s->y[i]);
	return greatest;
}

void family_append(struct family *f, struct curve *s)
{
	*vector_add(f) = s;
}

void family_free(struct family *f)
{
	for (size_t i = 0; i < f->n; i++)
		curve_free(f->at[i]);
	free(f->at);
	*f = (struct family){0};
}
