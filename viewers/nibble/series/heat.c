#include "viewers/nibble/series/heat.h"

#include "base/array.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 40, ROWS_PER_DECADE = 10 };

/* The least of 1, 2, 5 times a power of ten that is at least x. */
static double round_up(double x)
{
	double decade = pow(10, floor(log10(x)));

	return x <= decade	 ? decade
	       : x <= 2 * decade ? 2 * decade
	       : x <= 5 * decade ? 5 * decade
				 : 10 * decade;
}

static struct windows even_rows(struct limits r, unsigned bins)
{
	double span = r.to > r.from ? r.to - r.from : 1;
	double height = bins > 0 ? span / bins : round_up(span / ROWS);
	double first = bins > 0 ? r.from : floor(r.from / height) * height;
	struct windows g = {.n = bins > 0 ? bins : (size_t)floor((r.to - first) / height) + 1};

	g.edges = array_zero(g.n + 1, sizeof *g.edges);
	for (size_t i = 0; i <= g.n; i++)
		g.edges[i] = first + (double)i * height;
	return g;
}

/* What is not positive has a row of its own below the others. */
static struct windows logarithmic_rows(const struct values *p)
{
	double first = floor(log10(p->least_positive) * ROWS_PER_DECADE);
	size_t below = p->least > 0 ? 0 : 1;
	struct windows g = {.n = (size_t)(floor(log10(p->greatest) * ROWS_PER_DECADE) - first) + 1};

	g.n += below;
	g.edges = array_zero(g.n + 1, sizeof *g.edges);
	for (size_t i = below; i <= g.n; i++)
		g.edges[i] = pow(10, (first + (double)(i - below)) / ROWS_PER_DECADE);
	/* the power of a logarithm may lie beside the number */
	g.edges[below] = fmin(g.edges[below], p->least_positive);
	if (below)
		g.edges[0] = p->least;
	return g;
}

/* The row of a value; the last one includes its upper edge. */
static size_t row_of(const struct windows *rows, double value)
{
	size_t low = 0, high = rows->n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (rows->edges[middle] <= value)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Counts the values of each window; those of one are one worker's. */
struct counting {
	const struct values *pool;
	const size_t *first; /* stretch of each window */
	const struct windows *rows;
	double *counts; /* of each row of each window */
};

static void window_count(void *context, size_t window, unsigned worker)
{
	const struct counting *c = context;
	double *counts = c->counts + window * c->rows->n;

	(void)worker;
	for (size_t k = c->first[window]; k < c->first[window + 1]; k++) {
		const struct value_chunk *s = &c->pool->at[k];

		for (size_t i = 0; i < s->n; i++)
			if (isfinite(s->at[i]))
				counts[row_of(c->rows, s->at[i])]++;
	}
}

static double *count_tiles(const struct values *p, size_t windows, const struct windows *rows)
{
	size_t *first = values_windows(p, windows);
	struct counting c = {p, first, rows, NULL};

	c.counts = array_zero(windows * rows->n, sizeof *c.counts);
	parallel_for(windows, window_count, &c);
	free(first);
	return c.counts;
}

static void tiles_add(struct curve *heat, const struct windows *windows, const struct windows *rows,
		      const double *counts)
{
	for (size_t i = 0; i < windows->n * rows->n; i++) {
		size_t w = i / rows->n, row = i % rows->n;

		if (counts[i] > 0)
			*vector_add(&heat->tiles) = (struct tile){
			    windows->edges[w], windows->edges[w + 1],
			    rows->edges[row],  rows->edges[row + 1],
			    counts[i],
			};
	}
}

struct curve *heat_of(const struct values *p, const struct windows *windows, struct dimension of,
		       unsigned bins, bool logarithmic)
{
	struct curve *heat = curve_new(SHAPE_TILES, of);
	struct limits values = {p->least, p->greatest};
	struct windows rows;
	double *counts;

	if (p->finite == 0)
		return heat;
	rows = logarithmic && p->positive > 0 ? logarithmic_rows(p) : even_rows(values, bins);
	counts = count_tiles(p, windows->n, &rows);
	tiles_add(heat, windows, &rows, counts);
	free(counts);
	windows_free(&rows);
	return heat;
}
