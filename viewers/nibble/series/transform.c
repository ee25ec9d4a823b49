#include "viewers/nibble/series/transform.h"

#include <math.h>

static struct curve *result_like(const struct curve *s, enum shape shape)
{
	struct curve *r = curve_like(s);

	r->shape = shape;
	curve_set_string(&r->title, NULL);
	return r;
}

static void close_like(struct curve *r, const struct curve *s)
{
	if (r->shape == SHAPE_CELLS && s->n > 0)
		curve_close(r, s->x[s->n]);
}

struct curve *curve_diff(const struct curve *s)
{
	struct curve *r = result_like(s, s->shape == SHAPE_CELLS ? SHAPE_CELLS : SHAPE_POINTS);
	double last = s->shape == SHAPE_STEPS ? s->before : NAN;

	for (size_t i = 0; i < s->n; i++) {
		if (r->shape == SHAPE_CELLS || !isnan(s->y[i] - last))
			curve_append(r, s->x[i], s->y[i] - last);
		last = s->y[i];
	}
	close_like(r, s);
	curve_set_string(&r->quantity, NULL);
	return r;
}

struct curve *curve_cumulative(const struct curve *s)
{
	struct curve *r = result_like(s, s->shape == SHAPE_POINTS ? SHAPE_STEPS : s->shape);
	long double sum = 0;

	r->before = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (!isnan(s->y[i]))
			sum += s->y[i];
		curve_append(r, s->x[i], (double)sum);
	}
	if (s->shape == SHAPE_POINTS)
		r->end = curve_last(s);
	close_like(r, s);
	return r;
}

struct curve *curve_normalize(const struct curve *s)
{
	struct curve *r = result_like(s, s->shape);
	double greatest = curve_greatest(s);

	if (greatest == 0)
		greatest = 1;
	r->dimension = DIMENSION_NONE;
	r->before = s->before / greatest;
	for (size_t i = 0; i < s->n; i++)
		curve_append(r, s->x[i], s->y[i] / greatest);
	close_like(r, s);
	curve_set_string(&r->quantity, "share of the greatest");
	return r;
}
