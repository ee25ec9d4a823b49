#include "viewers/nibble/series/reduce.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

static struct curve *copy_of(const struct curve *s)
{
	struct curve *copy = curve_like(s);

	for (size_t i = 0; i < s->n; i++)
		curve_append(copy, s->x[i], s->y[i]);
	if (s->shape == SHAPE_CELLS && s->n > 0)
		curve_close(copy, s->x[s->n]);
	return copy;
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

/* A vertex, and how many came before it. */
struct vertex {
	double x, y;
	size_t place;
};

/* Takes vertices from left to right and passes on at most four of each column of pixels. */
struct reducer {
	struct curve *out;
	const struct canvas *canvas;
	bool idle;     /* there are few: all are passed on */
	double column; /* of the vertices below */
	struct vertex first, least, greatest, last;
	size_t n; /* how many vertices came; 0: none is held */
};

static void pass(struct reducer *r, const struct vertex *v, const struct vertex *after)
{
	if (!after || v->place > after->place)
		curve_append(r->out, v->x, v->y);
}

/* Ends a column: passes on its four vertices in their order, each once. */
static void reducer_flush(struct reducer *r)
{
	bool falls = r->greatest.place < r->least.place;
	const struct vertex *second = falls ? &r->greatest : &r->least;
	const struct vertex *third = falls ? &r->least : &r->greatest;

	if (r->n == 0 || r->idle)
		return;
	pass(r, &r->first, NULL);
	pass(r, second, &r->first);
	pass(r, third, second);
	pass(r, &r->last, third);
}

static void reducer_put(struct reducer *r, double x, double y)
{
	struct vertex v = {x, y, r->n++};
	double column;

	if (r->idle) {
		curve_append(r->out, x, y);
		return;
	}
	column = column_of(r->canvas, x);
	if (v.place == 0 || column != r->column) {
		r->n--;
		reducer_flush(r);
		r->n++;
		r->column = column;
		r->first = r->least = r->greatest = v;
	}
	if (y < r->least.y || isnan(r->least.y))
		r->least = v;
	if (y > r->greatest.y || isnan(r->greatest.y))
		r->greatest = v;
	r->last = v;
}

/* Steps with a vertex at either edge of the canvas. */
static void put_steps(struct reducer *r, const struct curve *s)
{
	double from = r->canvas->x.from;

	if (!s->distribution && !isnan(s->before) && (s->n == 0 || s->x[0] > from))
		reducer_put(r, from, s->before);
	for (size_t i = 0; i < s->n; i++)
		reducer_put(r, s->x[i], s->y[i]);
	if (s->n > 0 && s->x[s->n - 1] < s->end)
		reducer_put(r, s->end, s->y[s->n - 1]);
	else if (s->n == 0 && !s->distribution && from < s->end)
		reducer_put(r, s->end, s->before);
}

/* Cells as lines: level over each cell, broken where there is no value. */
static void put_cells(struct reducer *r, const struct curve *s)
{
	for (size_t i = 0; i < s->n; i++) {
		bool gap = i > 0 && isnan(s->y[i - 1]);

		if (isnan(s->y[i])) {
			if (i > 0 && !gap)
				reducer_put(r, s->x[i], NAN);
			continue;
		}
		reducer_put(r, s->x[i], s->y[i]);
		reducer_put(r, s->x[i + 1], s->y[i]);
	}
}

static void put_lines(struct reducer *r, const struct curve *s)
{
	for (size_t i = 0; i < s->n; i++)
		reducer_put(r, s->x[i], s->y[i]);
}

static struct curve *reduced(const struct curve *s, const struct canvas *c)
{
	struct reducer r = {
	    .out = curve_like(s),
	    .canvas = c,
	    .idle = 2 * s->n <= (size_t)4 * c->columns,
	};

	if (s->shape == SHAPE_STEPS) {
		put_steps(&r, s);
	} else if (s->shape == SHAPE_CELLS) {
		r.out->shape = SHAPE_LINES;
		put_cells(&r, s);
	} else {
		put_lines(&r, s);
	}
	reducer_flush(&r);
	return r.out;
}

static struct curve *level(const struct curve *s, const struct canvas *c)
{
	struct curve *r = curve_like(s);

	r->shape = SHAPE_LINES;
	curve_append(r, c->x.from, s->y[0]);
	curve_append(r, c->x.to, s->y[0]);
	return r;
}

static double height_of(const struct canvas *c, double y, double least, double greatest)
{
	if (c->log_y) {
		y = log(fmax(y, 1e-9));
		least = log(fmax(least, 1e-9));
		greatest = log(fmax(greatest, 1e-9));
	}
	return greatest > least ? (y - least) / (greatest - least) : 0;
}

enum { LIT = 1, LIT_BY_EXTREME = 2 };

/* Points thinned to those that light a new pixel, and the extremes of all. */
static struct curve *thinned(const struct curve *s, const struct canvas *c)
{
	struct curve *r = curve_like(s);
	unsigned char *lit = array_zero((size_t)(c->columns + 1) * (c->rows + 1), 1);
	double least = INFINITY, greatest = -INFINITY;

	for (size_t i = 0; i < s->n; i++) {
		least = fmin(least, s->y[i]);
		greatest = fmax(greatest, s->y[i]);
	}
	for (size_t i = 0; i < s->n; i++) {
		double row = height_of(c, s->y[i], least, greatest) * c->rows;
		double column = fmin(fmax(column_of(c, s->x[i]), 0), c->columns);
		bool extreme = s->y[i] == least || s->y[i] == greatest;
		unsigned char *pixel;

		if (isnan(s->y[i]))
			continue;
		pixel = &lit[(size_t)column * (c->rows + 1) + (size_t)row];
		if (!(*pixel & LIT) || (extreme && !(*pixel & LIT_BY_EXTREME)))
			curve_append(r, s->x[i], s->y[i]);
		*pixel |= extreme ? LIT | LIT_BY_EXTREME : LIT;
	}
	free(lit);
	return r;
}

struct curve *curve_drawn(const struct curve *s, const struct canvas *c)
{
	if (s->shape == SHAPE_TILES)
		return curve_like(s);
	if (s->shape == SHAPE_CONSTANT)
		return level(s, c);
	if (s->shape == SHAPE_CELLS && s->distribution)
		return copy_of(s);
	if (s->shape == SHAPE_POINTS)
		return s->n > (size_t)4 * c->columns ? thinned(s, c) : copy_of(s);
	return reduced(s, c);
}
