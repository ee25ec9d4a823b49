#include "viewers/nibble/reduce.h"

#include "viewers/vector.h"

#include <math.h>
#include <stdlib.h>

static struct series *copy_of(const struct series *s)
{
	struct series *copy = series_like(s);

	for (size_t i = 0; i < s->n; i++)
		series_append(copy, s->x[i], s->y[i]);
	if (s->shape == SHAPE_CELLS && s->n > 0)
		series_close(copy, s->x[s->n]);
	return copy;
}

/* Steps with a vertex at either edge of the canvas. */
static struct series *stretched(const struct series *s, const struct canvas *c)
{
	struct series *r = series_like(s);

	if (!s->distribution && !isnan(s->before) && (s->n == 0 || s->x[0] > c->x.from))
		series_append(r, c->x.from, s->before);
	for (size_t i = 0; i < s->n; i++)
		series_append(r, s->x[i], s->y[i]);
	if (r->n > 0 && r->x[r->n - 1] < s->end)
		series_append(r, s->end, r->y[r->n - 1]);
	return r;
}

/* Cells as lines: level over each cell, broken where there is no value. */
static struct series *outlined(const struct series *s)
{
	struct series *r = series_like(s);

	r->shape = SHAPE_LINES;
	for (size_t i = 0; i < s->n; i++) {
		bool gap = i > 0 && isnan(s->y[i - 1]);

		if (isnan(s->y[i])) {
			if (i > 0 && !gap)
				series_append(r, s->x[i], NAN);
			continue;
		}
		series_append(r, s->x[i], s->y[i]);
		series_append(r, s->x[i + 1], s->y[i]);
	}
	return r;
}

static struct series *level(const struct series *s, const struct canvas *c)
{
	struct series *r = series_like(s);

	r->shape = SHAPE_LINES;
	series_append(r, c->x.from, s->y[0]);
	series_append(r, c->x.to, s->y[0]);
	return r;
}

static double column_of(const struct canvas *c, double x)
{
	double from = c->x.from, to = c->x.to;

	if (c->log_x) {
		from = log(fmax(from, 1e-9));
		to = log(fmax(to, 1e-9));
		x = log(fmax(x, 1e-9));
	}
	return floor((x - from) / (to - from) * c->columns);
}

/* Appends the points [first, last) of one column: at most four of them. */
static void append_column(struct series *r, const struct series *s, size_t first, size_t last)
{
	size_t least = first, greatest = first;

	if (last - first <= 4) {
		for (size_t i = first; i < last; i++)
			series_append(r, s->x[i], s->y[i]);
		return;
	}
	for (size_t i = first; i < last; i++) {
		if (s->y[i] < s->y[least] || isnan(s->y[least]))
			least = i;
		if (s->y[i] > s->y[greatest] || isnan(s->y[greatest]))
			greatest = i;
	}
	for (size_t i = first; i < last; i++)
		if (i == first || i == least || i == greatest || i == last - 1)
			series_append(r, s->x[i], s->y[i]);
}

static struct series *reduced(const struct series *s, const struct canvas *c)
{
	struct series *r = series_like(s);
	size_t first = 0, last;

	for (; first < s->n; first = last) {
		double column = column_of(c, s->x[first]);

		for (last = first + 1; last < s->n && column_of(c, s->x[last]) == column; last++)
			;
		append_column(r, s, first, last);
	}
	return r;
}

/* Points thinned to those that light a new pixel, and the extremes of all. */
static struct series *thinned(const struct series *s, const struct canvas *c)
{
	struct series *r = series_like(s);
	unsigned char *lit = zeroed((size_t)(c->columns + 1) * (c->rows + 1), 1);
	double least = INFINITY, greatest = -INFINITY;

	for (size_t i = 0; i < s->n; i++) {
		least = fmin(least, s->y[i]);
		greatest = fmax(greatest, s->y[i]);
	}
	for (size_t i = 0; i < s->n; i++) {
		double height = greatest > least ? (s->y[i] - least) / (greatest - least) : 0;
		double column = fmin(fmax(column_of(c, s->x[i]), 0), c->columns);
		size_t pixel;

		if (isnan(s->y[i]))
			continue;
		pixel = (size_t)column * (c->rows + 1) + (size_t)(height * c->rows);
		if (!lit[pixel] || s->y[i] == least || s->y[i] == greatest)
			series_append(r, s->x[i], s->y[i]);
		lit[pixel] = 1;
	}
	free(lit);
	return r;
}

struct series *series_drawn(const struct series *s, const struct canvas *c)
{
	struct series *whole, *r;

	switch (s->shape) {
	case SHAPE_POINTS:
		return s->n > (size_t)4 * c->columns ? thinned(s, c) : copy_of(s);
	case SHAPE_CONSTANT:
		return level(s, c);
	case SHAPE_CELLS:
		if (s->distribution)
			return copy_of(s);
		whole = outlined(s);
		break;
	case SHAPE_STEPS:
		whole = stretched(s, c);
		break;
	default:
		whole = copy_of(s);
	}
	if (whole->n <= (size_t)4 * c->columns)
		return whole;
	r = reduced(whole, c);
	series_free(whole);
	return r;
}
