#include "viewers/nibble/series/steps.h"

#include "base/array.h"
#include "viewers/nibble/sample/number_sort.h"

#include <stdlib.h>

/* One change for each moment: of several at the same time the last is what holds. */
static void steps_set(struct curve *s, double x, double y)
{
	if (s->n > 0 && s->x[s->n - 1] == x)
		s->y[s->n - 1] = y;
	else
		curve_append(s, x, y);
}

struct curve *steps_count(const struct samples *s, struct limits r)
{
	struct curve *steps = curve_new(SHAPE_STEPS, DIMENSION_EVENTS);

	steps->before = (double)s->before;
	for (size_t i = 0; i < s->n; i++)
		steps_set(steps, s->at[i], (double)(s->before + i + 1));
	return curve_crop(steps, r);
}

struct curve *steps_open(const struct samples *s, struct limits r)
{
	struct curve *steps = curve_new(SHAPE_STEPS, DIMENSION_EVENTS);
	double *ends = array_zero(s->n, sizeof *ends);
	size_t started = 0, ended = 0;

	for (size_t i = 0; i < s->n; i++)
		ends[i] = s->end[i];
	sort_doubles(ends, s->n);
	while (ended < s->n) {
		bool starts = started < s->n && s->at[started] <= ends[ended];
		double x = starts ? s->at[started++] : ends[ended++];

		steps_set(steps, x, (double)(started - ended));
	}
	free(ends);
	return curve_crop(steps, r);
}

struct curve *points_of(const struct samples *s, struct limits r, struct dimension d)
{
	struct curve *points = curve_new(SHAPE_POINTS, d);

	for (size_t i = 0; i < s->n; i++)
		curve_append(points, s->at[i], s->value[i]);
	return curve_crop(points, r);
}

struct curve *curve_crop(struct curve *s, struct limits r)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n && s->x[i] <= r.to; i++) {
		if (s->x[i] < r.from) {
			if (s->shape == SHAPE_STEPS)
				s->before = s->y[i];
			continue;
		}
		s->x[kept] = s->x[i];
		s->y[kept++] = s->y[i];
	}
	s->n = kept;
	s->end = r.to;
	return s;
}
