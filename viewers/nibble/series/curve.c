#include "viewers/nibble/series/curve.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

struct series *series_new(enum shape shape, struct dimension dimension)
{
	struct series *s = array_zero(1, sizeof *s);

	s->shape = shape;
	s->dimension = dimension;
	s->xdimension = DIMENSION_TIME;
	return s;
}

struct series *series_constant(double value, struct dimension dimension)
{
	struct series *s = series_new(SHAPE_CONSTANT, dimension);

	series_append(s, 0, value);
	return s;
}

void series_set_string(char **member, const char *text)
{
	char *copy = text ? text_format("%s", text) : NULL;

	free(*member);
	*member = copy;
}

struct series *series_like(const struct series *s)
{
	struct series *copy = series_new(s->shape, s->dimension);

	copy->distribution = s->distribution;
	copy->xdimension = s->xdimension;
	copy->key = s->key;
	copy->before = s->before;
	copy->end = s->end;
	copy->absent = s->absent;
	series_set_string(&copy->title, s->title);
	series_set_string(&copy->quantity, s->quantity);
	series_set_string(&copy->xquantity, s->xquantity);
	series_set_string(&copy->group, s->group);
	return copy;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	free(s->title);
	free(s->quantity);
	free(s->xquantity);
	free(s->group);
	free(s->x);
	free(s->y);
	free(s->tiles.at);
	free(s);
}

void series_append(struct series *s, double x, double y)
{
	if (s->n == s->xroom)
		s->x = vector_grow(s->x, s->n, &s->xroom, sizeof *s->x);
	if (s->n == s->yroom)
		s->y = vector_grow(s->y, s->n, &s->yroom, sizeof *s->y);
	s->x[s->n] = x;
	s->y[s->n++] = y;
}

void series_close(struct series *s, double x)
{
	s->x = vector_grow(s->x, s->n, &s->xroom, sizeof *s->x);
	s->x[s->n] = x;
}

void series_shift(struct series *s, double by)
{
	size_t edges = s->shape == SHAPE_CELLS && s->n > 0 ? s->n + 1 : s->n;

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

double series_last(const struct series *s)
{
	if (s->shape == SHAPE_STEPS)
		return s->end;
	if (s->n == 0)
		return 0;
	return s->shape == SHAPE_CELLS ? s->x[s->n] : s->x[s->n - 1];
}

double series_greatest(const struct series *s)
{
	double greatest = 0;

	for (size_t i = 0; i < s->n; i++)
		if (isfinite(s->y[i]) && fabs(s->y[i]) > greatest)
			greatest = fabs(s->y[i]);
	return greatest;
}

void family_append(struct family *f, struct series *s)
{
	*vector_add(f) = s;
}

void family_free(struct family *f)
{
	for (size_t i = 0; i < f->n; i++)
		series_free(f->at[i]);
	free(f->at);
	*f = (struct family){0};
}
