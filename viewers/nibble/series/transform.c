#include "viewers/nibble/series/transform.h"
#include "base/array.h"
#include "viewers/nibble/series/curve_cursor.h"
#include <math.h>
#include <stdlib.h>

static struct curve *result_like(const struct curve *s, enum shape shape)
{
	struct curve *r = curve_like(s);

	r->shape = shape;
	r->window = 0;
	curve_set_string(&r->title, NULL);
	curve_set_string(&r->part, NULL);
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

/*
 * The integral of a series from the start of a range up to each of its changes, and the time it is
 * defined in.
 */
struct integral {
	double *x, *sum, *covered;
	size_t n;
};

static void integral_add(struct integral *g, double x, double y, double left)
{
	double length = x - g->x[g->n - 1];
	bool defined = !isnan(y) && !isnan(left);

	g->x[g->n] = x;
	g->sum[g->n] = g->sum[g->n - 1] + (defined ? (y + left) / 2 * length : 0);
	g->covered[g->n] = g->covered[g->n - 1] + (defined ? length : 0);
	g->n++;
}

static struct integral integral_of(const struct curve *s, struct limits r)
{
	size_t room = s->n + 3;
	struct integral g = {array_zero(room, sizeof *g.x), array_zero(room, sizeof *g.sum),
			     array_zero(room, sizeof *g.covered), 1};
	struct curve_cursor c = CURSOR(s);
	double y = cursor_right(&c, r.from);

	g.x[0] = r.from;
	while (g.x[g.n - 1] < r.to) {
		double x = fmin(cursor_next(&c), r.to);

		integral_add(&g, x, y, cursor_left(&c, x));
		y = cursor_right(&c, x);
	}
	return g;
}

static void integral_free(struct integral *g)
{
	free(g->x);
	free(g->sum);
	free(g->covered);
}

/*
 * Interpolates: between its entries the integral of steps is straight. k: the entry before x; only
 * moves on.
 */
static void integral_at(const struct integral *g, double x, size_t *k, double *sum, double *covered)
{
	double part;

	while (*k + 2 < g->n && g->x[*k + 1] <= x)
		++*k;
	part = (x - g->x[*k]) / (g->x[*k + 1] - g->x[*k]);
	*sum = g->sum[*k] + part * (g->sum[*k + 1] - g->sum[*k]);
	*covered = g->covered[*k] + part * (g->covered[*k + 1] - g->covered[*k]);
}

static double mean_between(const struct integral *g, double from, double to, size_t *low,
			   size_t *high)
{
	double sum_low, sum_high, covered_low, covered_high;

	integral_at(g, from, low, &sum_low, &covered_low);
	integral_at(g, to, high, &sum_high, &covered_high);
	if (covered_high - covered_low <= 0)
		return NAN;
	return (sum_high - sum_low) / (covered_high - covered_low);
}

/*
 * Adds the vertices of the mean, which changes its slope where either edge of the window meets a
 * change of the series: i counts the changes that the right edge has met, j those of the left edge.
 */
static void smooth_held(struct curve *r, const struct curve *s, double length, struct limits range)
{
	struct integral g = integral_of(s, range);
	size_t low = 0, high = 0, i = 0, j = 0;
	double x = range.from;

	while (g.n > 1) {
		double from = fmax(x - length / 2, range.from), to = fmin(x + length / 2, range.to);

		curve_append(r, x, mean_between(&g, from, to, &low, &high));
		while (i < g.n && g.x[i] - length / 2 <= x)
			i++;
		while (j < g.n && g.x[j] + length / 2 <= x)
			j++;
		if (x >= range.to)
			break;
		x = fmin(i < g.n ? g.x[i] - length / 2 : range.to,
			 j < g.n ? g.x[j] + length / 2 : range.to);
		x = fmin(x, range.to);
	}
	integral_free(&g);
}

static void smooth_points(struct curve *r, const struct curve *s, double length)
{
	size_t first = 0, last = 0;
	long double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		for (; last < s->n && s->x[last] <= s->x[i] + length / 2; last++)
			sum += s->y[last];
		for (; s->x[first] < s->x[i] - length / 2; first++)
			sum -= s->y[first];
		curve_append(r, s->x[i], (double)(sum / (long double)(last - first)));
	}
}

struct curve *curve_smooth(const struct curve *s, double length, struct limits range)
{
	struct curve *r = curve_like(s);

	r->shape = SHAPE_LINES;
	r->window = 0;
	curve_set_string(&r->title, NULL);
	curve_set_string(&r->part, NULL);
	if (s->shape == SHAPE_POINTS)
		smooth_points(r, s, length);
	else
		smooth_held(r, s, length, range);
	return r;
}

/* Returns the greatest value, which of steps may be the one that they begin with. */
static double summit(const struct curve *s)
{
	double greatest = s->shape == SHAPE_STEPS && !s->distribution ? s->before : -INFINITY;

	for (size_t i = 0; i < s->n; i++)
		greatest = fmax(greatest, s->y[i]);
	return greatest;
}

static int order_by_summit(const void *left, const void *right)
{
	double a = summit(*(struct curve *const *)left), b = summit(*(struct curve *const *)right);

	return a > b ? -1 : a < b;
}

void family_top(struct family *f, size_t n)
{
	if (f->n > 1)
		qsort(f->at, f->n, sizeof(struct curve *), order_by_summit);
	while (f->n > n)
		curve_free(f->at[--f->n]);
}
