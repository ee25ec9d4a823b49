#include "viewers/nibble/series/transform.h"

#include <math.h>

static struct series *result_like(const struct series *s, enum shape shape)
{
	struct series *r = series_like(s);

	r->shape = shape;
	series_set_string(&r->title, NULL);
	return r;
}

static void close_like(struct series *r, const struct series *s)
{
	if (r->shape == SHAPE_CELLS && s->n > 0)
		series_close(r, s->x[s->n]);
}

struct series *series_diff(const struct series *s)
{
	struct series *r = result_like(s, s->shape == SHAPE_CELLS ? SHAPE_CELLS : SHAPE_POINTS);
	double last = s->shape == SHAPE_STEPS ? s->before : NAN;

	for (size_t i = 0; i < s->n; i++) {
		if (r->shape == SHAPE_CELLS || !isnan(s->y[i] - last))
			series_append(r, s->x[i], s->y[i] - last);
		last = s->y[i];
	}
	close_like(r, s);
	series_set_string(&r->quantity, NULL);
	return r;
}

struct series *series_cumulative(const struct series *s)
{
	struct series *r = result_like(s, s->shape == SHAPE_POINTS ? SHAPE_STEPS : s->shape);
	long double sum = 0;

	r->before = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (!isnan(s->y[i]))
			sum += s->y[i];
		series_append(r, s->x[i], (double)sum);
	}
	if (s->shape == SHAPE_POINTS)
		r->end = series_last(s);
	close_like(r, s);
	return r;
}

struct series *series_normalize(const struct series *s)
{
	struct series *r = result_like(s, s->shape);
	double greatest = series_greatest(s);

	if (greatest == 0)
		greatest = 1;
	r->dimension = DIMENSION_NONE;
	r->before = s->before / greatest;
	for (size_t i = 0; i < s->n; i++)
		series_append(r, s->x[i], s->y[i] / greatest);
	close_like(r, s);
	series_set_string(&r->quantity, "share of the greatest");
	return r;
}
