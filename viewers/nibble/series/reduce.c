#include "viewers/nibble/series/reduce.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/task.h"
#include <math.h>
#include <stdlib.h>

static struct curve *copy_of(const struct curve *s)
{
	struct curve *copy = curve_like(s);

	for (size_t i = 0; i < s->n; i++)
		curve_append(copy, s->x[i], s->y[i]);
	if (curve_has_edges(s))
		curve_close(copy, s->x[s->n]);
	return copy;
}

static double reduce_column_of(const struct canvas *c, double x)
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

static void reduce_pass(struct reducer *r, const struct vertex *v, const struct vertex *after)
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
	reduce_pass(r, &r->first, NULL);
	reduce_pass(r, second, &r->first);
	reduce_pass(r, third, second);
	reduce_pass(r, &r->last, third);
}

static void reducer_put(struct reducer *r, double x, double y)
{
	struct vertex v = {x, y, r->n++};
	double column;

	if (r->idle) {
		curve_append(r->out, x, y);
		return;
	}
	column = reduce_column_of(r->canvas, x);
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

/* Passes on steps, with a vertex at either edge of the canvas. */
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

/* Passes on cells as lines: level over each cell, broken where there is no value. */
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

static double reduce_height_of(const struct canvas *c, double y, double least, double greatest)
{
	if (c->log_y) {
		y = log(fmax(y, 1e-9));
		least = log(fmax(least, 1e-9));
		greatest = log(fmax(greatest, 1e-9));
	}
	return greatest > least ? (y - least) / (greatest - least) : 0;
}

enum { LIT = 1, LIT_BY_EXTREME = 2 };

/* Keeps the points that light a new pixel, and the extremes of all. */
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
		double row = reduce_height_of(c, s->y[i], least, greatest) * c->rows;
		double column = fmin(fmax(reduce_column_of(c, s->x[i]), 0), c->columns);
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
	if (s->shape == SHAPE_BOXES || (s->shape == SHAPE_CELLS && s->distribution))
		return copy_of(s);
	if (s->shape == SHAPE_POINTS)
		return s->n > (size_t)4 * c->columns ? thinned(s, c) : copy_of(s);
	return reduced(s, c);
}

/* Half pixels, for the place and the size of the panel are not known yet. */
enum { FINER = 2 };

struct panel_point {
	double x, y;
};

struct panel_points {
	struct panel_point *at;
	size_t n, room;
};

struct scatter {
	const struct values *pool;
	size_t rows;
	double low, scale; /* of the value, or of its logarithm */
	bool logarithmic;
	const size_t *first;         /* chunk of each column */
	struct panel_points *points; /* of each column */
};

size_t scatter_columns(const struct canvas *c)
{
	return (size_t)FINER * c->columns;
}

static size_t row_of(const struct scatter *s, double value)
{
	double row = ((s->logarithmic ? log(value) : value) - s->low) * s->scale;

	return row < (double)s->rows ? (size_t)fmax(row, 0) : s->rows - 1;
}

static void point_add(struct panel_points *p, double x, double y)
{
	*vector_add(p) = (struct panel_point){x, y};
}

/* The first, last, least and greatest point of a column. */
struct extremes {
	struct panel_point first, last, least, greatest;
	bool any;
};

static void reduce_extremes_take(struct extremes *e, struct panel_point p)
{
	if (!e->any)
		*e = (struct extremes){p, p, p, p, true};
	if (p.x < e->first.x)
		e->first = p;
	if (p.x >= e->last.x)
		e->last = p;
	if (p.y < e->least.y)
		e->least = p;
	if (p.y > e->greatest.y)
		e->greatest = p;
}

static int compare_points(const void *left, const void *right)
{
	const struct panel_point *a = left, *b = right;

	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return a->y < b->y ? -1 : a->y > b->y;
}

static void stretch_draw(const struct scatter *s, const struct value_chunk *t, unsigned char *lit,
			 struct extremes *e, struct panel_points *out)
{
	for (size_t i = 0; i < t->n; i++) {
		struct panel_point p = {t->time[i], t->at[i]};
		size_t row;

		/* A logarithmic axis has no place for zero and less. */
		if (!isfinite(p.y) || (s->logarithmic && p.y <= 0))
			continue;
		reduce_extremes_take(e, p);
		row = row_of(s, p.y);
		if (!lit[row])
			point_add(out, p.x, p.y);
		lit[row] = 1;
	}
}

static void column_draw(void *context, size_t column, unsigned worker)
{
	const struct scatter *s = context;
	struct panel_points *out = &s->points[column];
	unsigned char *lit;
	struct extremes e = {.any = false};

	(void)worker;
	if (task_stopped() || s->first[column] == s->first[column + 1])
		return;
	lit = array_zero(s->rows, sizeof *lit);
	for (size_t k = s->first[column]; k < s->first[column + 1]; k++)
		stretch_draw(s, &s->pool->at[k], lit, &e, out);
	free(lit);
	if (!e.any)
		return;
	point_add(out, e.first.x, e.first.y);
	point_add(out, e.last.x, e.last.y);
	point_add(out, e.least.x, e.least.y);
	point_add(out, e.greatest.x, e.greatest.y);
	qsort(out->at, out->n, sizeof *out->at, compare_points);
}

/* Appends each point once: an extreme may also have lit its pixel. */
static void points_append(struct curve *to, struct panel_points *from)
{
	for (size_t i = 0; i < from->n; i++)
		if (i == 0 || compare_points(&from->at[i], &from->at[i - 1]) != 0)
			curve_append(to, from->at[i].x, from->at[i].y);
	free(from->at);
}

struct curve *scatter_drawn(const struct values *p, const struct windows *columns,
			    const struct canvas *c, struct dimension d)
{
	struct curve *drawn = curve_new(SHAPE_POINTS, d);
	double low = c->log_y ? log(p->least_positive) : p->least;
	double high = c->log_y ? log(p->greatest) : p->greatest;
	struct scatter s = {.pool = p, .rows = (size_t)FINER * c->rows, .low = low};

	s.scale = high > low ? (double)s.rows / (high - low) : 0;
	s.logarithmic = c->log_y;
	s.first = values_windows(p, columns->n);
	s.points = array_zero(columns->n, sizeof *s.points);
	parallel_for(columns->n, column_draw, &s);
	for (size_t i = 0; i < columns->n; i++)
		points_append(drawn, &s.points[i]);
	if (c->log_y)
		drawn->absent = (double)(p->finite - p->positive);
	free((void *)s.first);
	free(s.points);
	return drawn;
}
