#include "viewers/nibble/series/tallied.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "base/sort.h"
#include "viewers/nibble/sample/values.h"
#include "viewers/nibble/sample/window_tally.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The parts of one curve, or all. */
struct slice {
	const struct window_tally *tally;
	size_t first, end;
};

static struct slice slice_of(const struct window_tally *y, size_t curve)
{
	return (struct slice){y, y->firsts[curve], y->firsts[curve + 1]};
}

static struct slice slice_whole(const struct window_tally *y)
{
	return (struct slice){y, 0, y->parts.n};
}

/* Returns the first part from k on that has events in window w, or the end. */
static size_t next_part(const struct slice *s, size_t k, size_t w)
{
	while (k < s->end && s->tally->parts.at[k]->cells[w].n == 0)
		k++;
	return k;
}

#define EACH_CELL(cell, s, w) \
	for (size_t k = next_part(s, (s)->first, w); k < (s)->end; k = next_part(s, k + 1, w)) \
		for (const struct tally_cell *cell = &(s)->tally->parts.at[k]->cells[w]; cell; \
		     cell = NULL)

static uint64_t slice_count(const struct slice *s, size_t w)
{
	uint64_t n = 0;

	EACH_CELL(cell, s, w)
	n += cell->n;
	return n;
}

int64_t tally_key(const struct window_tally *y, size_t curve)
{
	return y->parts.at[y->firsts[curve]]->key;
}

uint64_t tally_count(const struct window_tally *y)
{
	struct slice s = slice_whole(y);
	uint64_t n = 0;

	for (size_t w = 0; w < y->windows.n; w++)
		n += slice_count(&s, w);
	return n;
}

/* Copies the values in window w; returns their number. */
static size_t gather(const struct slice *s, size_t w, double *values)
{
	size_t n = 0;

	EACH_CELL(cell, s, w)
	{
		memcpy(values + n, s->tally->parts.at[k]->values + cell->start,
		       cell->n * sizeof *values);
		n += cell->n;
	}
	return n;
}

struct quantiles {
	struct slice slice;
	double q;
	double *results;
};

static void tallied_quantile_find(void *context, size_t w, unsigned worker)
{
	struct quantiles *z = context;
	size_t n = slice_count(&z->slice, w);
	double *values;

	(void)worker;
	z->results[w] = NAN;
	if (n == 0)
		return;
	values = array_new(n, sizeof *values);
	gather(&z->slice, w, values);
	z->results[w] = select_double(values, n, quantile_place(n, z->q));
	free(values);
}

static double tallied_summary_of(const struct slice *s, size_t w, enum function_kind kind)
{
	long double sum = 0;
	double least = INFINITY, greatest = -INFINITY;
	uint64_t n = slice_count(s, w);

	if (n == 0)
		return kind == FUNCTION_SUM ? 0 : NAN;
	if (kind == FUNCTION_MEAN || kind == FUNCTION_SUM) {
		EACH_CELL(cell, s, w)
		sum += cell->sum;
		return (double)(kind == FUNCTION_SUM ? sum : sum / (long double)n);
	}
	EACH_CELL(cell, s, w)
	{
		least = fmin(least, cell->least);
		greatest = fmax(greatest, cell->greatest);
	}
	return kind == FUNCTION_MIN ? least : greatest;
}

/* Returns what a rate is of: how many, or the sum of their values. */
static double tallied_amount(const struct slice *s, size_t w, const struct node *node)
{
	return node->source.subject.has_value ? tallied_summary_of(s, w, FUNCTION_SUM)
					      : (double)slice_count(s, w);
}

static void windows_summarize(const struct slice *s, double *results)
{
	const struct node *node = s->tally->node;
	const double *edges = s->tally->windows.edges;
	struct quantiles z = {*s, node->source.quantile, results};

	if (node->function->kind == FUNCTION_QUANTILE) {
		parallel_for(s->tally->windows.n, tallied_quantile_find, &z);
		return;
	}
	for (size_t w = 0; w < s->tally->windows.n; w++)
		results[w] = node->function->kind == FUNCTION_RATE
				 ? tallied_amount(s, w, node) / (edges[w + 1] - edges[w])
				 : tallied_summary_of(s, w, node->function->kind);
}

static struct curve *cells_of(const struct slice *s)
{
	const struct windows *g = &s->tally->windows;
	struct curve *cells = curve_new(SHAPE_CELLS, s->tally->node->dimension);
	double *results = array_zero(g->n, sizeof *results);

	windows_summarize(s, results);
	if (s->tally->node->function->kind == FUNCTION_SUM)
		cells->window = g->width;
	for (size_t w = 0; w < g->n; w++)
		curve_append(cells, g->edges[w], results[w]);
	curve_close(cells, g->edges[g->n]);
	free(results);
	return cells;
}

/* Adds the first and the last step in window w; between them the curve only rises. */
static void steps_add(struct curve *steps, const struct slice *s, size_t w, uint64_t before)
{
	int64_t first = INT64_MAX, last = INT64_MIN;
	uint64_t at_first = 0, n = 0;

	EACH_CELL(cell, s, w)
	{
		if (cell->first < first)
			at_first = 0;
		first = cell->first < first ? cell->first : first;
		last = cell->last > last ? cell->last : last;
		at_first += cell->first == first ? cell->at_first : 0;
		n += cell->n;
	}
	if (n > 0 && first < last)
		curve_append(steps, (double)first, (double)(before + at_first));
	if (n > 0)
		curve_append(steps, (double)last, (double)(before + n));
}

static struct curve *tallied_steps_of(const struct slice *s)
{
	struct curve *steps = curve_new(SHAPE_STEPS, DIMENSION_EVENTS);
	const struct windows *g = &s->tally->windows;
	uint64_t before = 0;

	for (size_t k = s->first; k < s->end; k++)
		before += s->tally->parts.at[k]->before;
	steps->before = (double)before;
	steps->end = g->edges[g->n];
	for (size_t w = 0; w < g->n; w++) {
		steps_add(steps, s, w, before);
		before += slice_count(s, w);
	}
	return steps;
}

struct curve *tally_curve(const struct window_tally *y, size_t curve)
{
	struct slice s = slice_of(y, curve);

	return y->keep == KEEP_ENDS ? tallied_steps_of(&s) : cells_of(&s);
}

size_t tally_window_count(const struct window_tally *y, size_t window)
{
	struct slice s = slice_whole(y);

	return slice_count(&s, window);
}

void tally_steps(const struct window_tally *y, size_t window, unsigned source, uint64_t *steps)
{
	struct slice s = slice_whole(y);

	EACH_CELL(cell, &s, window)
	{
		const uint32_t *since = y->parts.at[k]->since + cell->start;

		for (size_t i = 0; i < cell->n; i++)
			*steps++ = step_pack(since[i], source, false);
	}
}

uint64_t tally_before(const struct window_tally *y)
{
	uint64_t n = 0;

	for (size_t k = 0; k < y->parts.n; k++)
		n += y->parts.at[k]->before;
	return n;
}

bool tally_has_values(const struct window_tally *y)
{
	return (y->keep == KEEP_VALUES && y->node->function->kind != FUNCTION_QUANTILE) ||
	       y->keep == KEEP_POINTS;
}

struct values tally_values(const struct window_tally *y, size_t curve)
{
	struct slice s = slice_of(y, curve);
	struct values p = {0};

	for (size_t w = 0; w < y->windows.n; w++)
		EACH_CELL(cell, &s, w)
		{
			const struct tally_part *t = y->parts.at[k];

			values_add(&p, t->values + cell->start,
				   t->times ? t->times + cell->start : NULL, cell->n, w);
		}
	values_settle(&p);
	return p;
}
