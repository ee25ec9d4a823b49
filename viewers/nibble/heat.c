#include "viewers/nibble/heat.h"

#include "viewers/vector.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 40, ROWS_PER_DECADE = 10 };

/* The least and greatest value that has a tile; from > to when there is none. */
static struct range value_range(const struct samples *s, const struct grid *windows,
				bool logarithmic)
{
	struct range r = {INFINITY, -INFINITY};

	for (size_t i = 0; i < s->n; i++) {
		if (s->at[i] < windows->edges[0] || s->at[i] > windows->edges[windows->n] ||
		    !isfinite(s->value[i]) || (logarithmic && s->value[i] <= 0))
			continue;
		r.from = fmin(r.from, s->value[i]);
		r.to = fmax(r.to, s->value[i]);
	}
	return r;
}

/* The least of 1, 2, 5 times a power of ten that is at least x. */
static double round_up(double x)
{
	double decade = pow(10, floor(log10(x)));

	return x <= decade	 ? decade
	       : x <= 2 * decade ? 2 * decade
	       : x <= 5 * decade ? 5 * decade
				 : 10 * decade;
}

static struct grid even_rows(struct range r, unsigned bins)
{
	double span = r.to > r.from ? r.to - r.from : 1;
	double height = bins > 0 ? span / bins : round_up(span / ROWS);
	double first = bins > 0 ? r.from : floor(r.from / height) * height;
	struct grid g = {.n = bins > 0 ? bins : (size_t)floor((r.to - first) / height) + 1};

	g.edges = zeroed(g.n + 1, sizeof *g.edges);
	for (size_t i = 0; i <= g.n; i++)
		g.edges[i] = first + (double)i * height;
	return g;
}

static struct grid logarithmic_rows(struct range r)
{
	double first = floor(log10(r.from) * ROWS_PER_DECADE);
	struct grid g = {.n = (size_t)(floor(log10(r.to) * ROWS_PER_DECADE) - first) + 1};

	g.edges = zeroed(g.n + 1, sizeof *g.edges);
	for (size_t i = 0; i <= g.n; i++)
		g.edges[i] = pow(10, (first + (double)i) / ROWS_PER_DECADE);
	return g;
}

/* The row of a value; the last one includes its upper edge. */
static size_t row_of(const struct grid *rows, double value)
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

static double *count_tiles(const struct samples *s, const struct grid *windows,
			   const struct grid *rows, struct range values)
{
	double *counts = zeroed(windows->n * rows->n, sizeof *counts);
	size_t w = 0;

	for (size_t i = 0; i < s->n; i++) {
		size_t found = grid_find(windows, s->at[i], w);

		if (found == windows->n || !(s->value[i] >= values.from) ||
		    !(s->value[i] <= values.to))
			continue;
		w = found;
		counts[w * rows->n + row_of(rows, s->value[i])]++;
	}
	return counts;
}

struct series *heat_of(const struct samples *s, const struct grid *windows, struct dimension of,
		       unsigned bins, bool logarithmic)
{
	struct series *heat = series_new(SHAPE_TILES, of);
	struct range values = value_range(s, windows, logarithmic);
	struct grid rows;
	double *counts;

	if (values.from > values.to)
		return heat;
	rows = logarithmic ? logarithmic_rows(values) : even_rows(values, bins);
	counts = count_tiles(s, windows, &rows, values);
	for (size_t i = 0; i < windows->n * rows.n; i++) {
		size_t w = i / rows.n, row = i % rows.n;

		if (counts[i] > 0)
			*vector_add(&heat->tiles) = (struct tile){
			    windows->edges[w], windows->edges[w + 1],
			    rows.edges[row],   rows.edges[row + 1],
			    counts[i],
			};
	}
	free(counts);
	grid_free(&rows);
	return heat;
}
