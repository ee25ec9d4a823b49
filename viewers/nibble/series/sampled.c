#include "viewers/nibble/series/sampled.h"
#include "base/array.h"
#include "base/quantile.h"
#include "base/sort.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds a change; of several at one moment the last one holds. */
static void steps_set(struct curve *s, double x, double y)
{
	if (s->n > 0 && s->x[s->n - 1] == x)
		s->y[s->n - 1] = y;
	else
		curve_append(s, x, y);
}

struct curve *steps_count(const struct value_samples *s, struct limits r)
{
	struct curve *steps = curve_new(SHAPE_STEPS, DIMENSION_EVENTS);

	steps->before = (double)s->before;
	for (size_t i = 0; i < s->n; i++)
		steps_set(steps, s->at[i], (double)(s->before + i + 1));
	return curve_crop(steps, r);
}

struct curve *steps_open(const struct value_samples *s, struct limits r)
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

struct curve *points_of(const struct value_samples *s, struct limits r, struct dimension d)
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

/* Calls f for each window with its samples [first, last). */
static struct curve *
each_window(const struct value_samples *s, const struct windows *g, struct dimension d,
	    double (*f)(void *context, size_t first, size_t last, double length), void *context)
{
	struct curve *cells = curve_new(SHAPE_CELLS, d);
	size_t first = 0, last;

	while (first < s->n && s->at[first] < g->edges[0])
		first++;
	for (size_t w = 0; w < g->n; w++, first = last) {
		for (last = first; last < s->n && windows_find(g, s->at[last], w) == w; last++)
			;
		curve_append(cells, g->edges[w],
			     f(context, first, last, g->edges[w + 1] - g->edges[w]));
	}
	curve_close(cells, g->edges[g->n]);
	return cells;
}

static double rate_of(void *context, size_t first, size_t last, double length)
{
	(void)context;
	return (double)(last - first) / length;
}

struct curve *window_rate(const struct value_samples *s, const struct windows *g)
{
	return each_window(s, g, DIMENSION_RATE, rate_of, NULL);
}

static double value_rate_of(void *context, size_t first, size_t last, double length)
{
	const struct value_samples *s = context;
	long double sum = 0;

	for (size_t i = first; i < last; i++)
		sum += s->value[i];
	return (double)sum / length;
}

struct curve *window_value_rate(const struct value_samples *s, const struct windows *g,
				struct dimension d)
{
	return each_window(s, g, d, value_rate_of, (void *)(uintptr_t)s);
}

struct summarizer {
	const double *values;
	enum summary function;
	double q;
	double *room; /* for all values */
};

static double quantile_of(struct summarizer *z, size_t first, size_t last)
{
	size_t n = last - first;

	memcpy(z->room, z->values + first, n * sizeof *z->room);
	return select_double(z->room, n, quantile_place(n, z->q));
}

static double sampled_summary_of(void *context, size_t first, size_t last, double length)
{
	struct summarizer *z = context;
	long double sum = 0;
	double least = INFINITY, greatest = -INFINITY;

	(void)length;
	if (first == last)
		return z->function == SUMMARY_SUM ? 0 : NAN;
	if (z->function == SUMMARY_QUANTILE)
		return quantile_of(z, first, last);
	for (size_t i = first; i < last; i++) {
		sum += z->values[i];
		least = fmin(least, z->values[i]);
		greatest = fmax(greatest, z->values[i]);
	}
	switch (z->function) {
	case SUMMARY_MIN:
		return least;
	case SUMMARY_MAX:
		return greatest;
	case SUMMARY_SUM:
		return (double)sum;
	default:
		return (double)(sum / (long double)(last - first));
	}
}

struct curve *window_summary(const struct value_samples *s, const struct windows *g, enum summary f,
			     double q, struct dimension d)
{
	struct summarizer z = {.values = s->value, .function = f, .q = q};
	struct curve *cells;

	z.room = array_zero(s->n, sizeof *z.room);
	cells = each_window(s, g, d, sampled_summary_of, &z);
	cells->window = f == SUMMARY_SUM ? g->width : 0;
	free(z.room);
	return cells;
}

void windows_cover(const struct windows *g, double *covered, double from, double to, size_t *hint)
{
	size_t w;

	from = fmax(from, g->edges[0]);
	to = fmin(to, g->edges[g->n]);
	if (from >= to)
		return;
	*hint = windows_find(g, from, *hint);
	for (w = *hint; w < g->n && g->edges[w] < to; w++)
		covered[w] += fmin(to, g->edges[w + 1]) - fmax(from, g->edges[w]);
}

struct curve *window_busy(const struct value_samples *s, const struct windows *g)
{
	struct curve *cells = curve_new(SHAPE_CELLS, DIMENSION_NONE);
	double *covered = array_zero(g->n, sizeof *covered);
	double from = 0, to = 0;
	size_t hint = 0;

	/*
	 * Instances that overlap are joined first: two at once do not make a thread twice as busy.
	 */
	for (size_t i = 0; i < s->n; i++) {
		if (i > 0 && s->at[i] <= to) {
			to = fmax(to, s->end[i]);
			continue;
		}
		windows_cover(g, covered, from, to, &hint);
		from = s->at[i];
		to = s->end[i];
	}
	windows_cover(g, covered, from, to, &hint);
	for (size_t w = 0; w < g->n; w++)
		curve_append(cells, g->edges[w], covered[w] / (g->edges[w + 1] - g->edges[w]));
	curve_close(cells, g->edges[g->n]);
	free(covered);
	return cells;
}

struct curve *window_share(const struct value_samples *s, const struct windows *g,
			   const double *whole)
{
	struct curve *cells = curve_new(SHAPE_CELLS, DIMENSION_NONE);
	double *covered = array_zero(g->n, sizeof *covered);
	size_t hint = 0;

	for (size_t i = 0; i < s->n; i++)
		windows_cover(g, covered, s->at[i], s->end[i], &hint);
	for (size_t w = 0; w < g->n; w++)
		curve_append(cells, g->edges[w], whole[w] > 0 ? covered[w] / whole[w] : NAN);
	curve_close(cells, g->edges[g->n]);
	free(covered);
	return cells;
}
