#include "viewers/nibble/series/scatter.h"

#include "base/array.h"
#include "base/parallel.h"
#include "base/task.h"

#include <math.h>
#include <stdlib.h>

/* Half pixels: where the panel will stand, and how large, is not yet known. */
enum { FINER = 2 };

struct point {
	double x, y;
};

struct points {
	struct point *at;
	size_t n, room;
};

struct scatter {
	const struct values *pool;
	size_t rows;
	double low, scale; /* of the value, or of its logarithm */
	bool logarithmic;
	const size_t *first;   /* stretch of each column */
	struct points *points; /* of each column */
};

size_t scatter_columns(const struct canvas *c)
{
	return (size_t)FINER * c->columns;
}

/* Those that a logarithmic axis has no place for are drawn nowhere. */
static bool has_place(const struct scatter *s, double value)
{
	return isfinite(value) && (!s->logarithmic || value > 0);
}

static size_t row_of(const struct scatter *s, double value)
{
	double row = ((s->logarithmic ? log(value) : value) - s->low) * s->scale;

	return row < (double)s->rows ? (size_t)fmax(row, 0) : s->rows - 1;
}

static void point_add(struct points *p, double x, double y)
{
	*vector_add(p) = (struct point){x, y};
}

/* The first, last, least and greatest point of a column. */
struct extremes {
	struct point first, last, least, greatest;
	bool any;
};

static void extremes_take(struct extremes *e, struct point p)
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
	const struct point *a = left, *b = right;

	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return a->y < b->y ? -1 : a->y > b->y;
}

static void stretch_draw(const struct scatter *s, const struct value_chunk *t, unsigned char *lit,
			 struct extremes *e, struct points *out)
{
	for (size_t i = 0; i < t->n; i++) {
		struct point p = {t->time[i], t->at[i]};
		size_t row;

		if (!has_place(s, p.y))
			continue;
		extremes_take(e, p);
		row = row_of(s, p.y);
		if (!lit[row])
			point_add(out, p.x, p.y);
		lit[row] = 1;
	}
}

static void column_draw(void *context, size_t column, unsigned worker)
{
	const struct scatter *s = context;
	struct points *out = &s->points[column];
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

/* Once each: an extreme may also have lit its pixel. */
static void points_append(struct curve *to, struct points *from)
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
