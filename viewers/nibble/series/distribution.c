#include "viewers/nibble/series/distribution.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "viewers/nibble/series/curve_cursor.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The greatest of 1, 2, 5 times a power of ten that is at most x. */
static double round_down(double x)
{
	double decade = pow(10, floor(log10(x)));

	if (x >= 5 * decade)
		return 5 * decade;
	return x >= 2 * decade ? 2 * decade : decade;
}

static double round_up(double x)
{
	double down = round_down(x);

	if (down >= x)
		return down;
	/* From 2 to 5 is the one step that does not double. */
	return round_down(down * 2.5 + down * 1e-9);
}

/* Edges of bins; the last one includes its upper edge. */
struct histogram_bins {
	double *edges; /* n + 1 */
	size_t n;
	/* About where a value is: (value or log10(value) - first) / width. */
	double first, width;
	bool logarithmic;
};

/* The place may miss by one at an edge. That of no number, as of log10(-1), is the first bin. */
static size_t bin_of(const struct histogram_bins *b, double value)
{
	double place = ((b->logarithmic ? log10(value) : value) - b->first) / b->width;
	size_t i = place > 0 ? (size_t)fmin(floor(place), (double)(b->n - 1)) : 0;

	while (i > 0 && value < b->edges[i])
		i--;
	while (i + 1 < b->n && value >= b->edges[i + 1])
		i++;
	return i;
}

/* The width of Freedman and Diaconis, for 5 to 200 bins. */
static double distribution_width_of(double first_quartile, double third_quartile, size_t n,
				    double span)
{
	double width = 2 * (third_quartile - first_quartile) / cbrt((double)n);

	return fmin(fmax(width, span / 200), span / 5);
}

static double linear_width(const struct values *p, unsigned bins)
{
	double span = p->greatest - p->least, width;

	if (span == 0)
		return 1;
	if (bins > 0)
		return span / bins;
	width =
	    distribution_width_of(values_ranked(p, p->finite / 4),
				  values_ranked(p, p->finite - 1 - p->finite / 4), p->finite, span);
	return fmax(round_down(width), round_up(span / 200));
}

static void set_edges(struct histogram_bins *b)
{
	b->edges = array_zero(b->n + 1, sizeof *b->edges);
	for (size_t i = 0; i <= b->n; i++)
		b->edges[i] = b->first + (double)i * b->width;
}

static struct histogram_bins linear_bins(const struct values *p, unsigned bins)
{
	struct histogram_bins b = {.n = bins, .width = linear_width(p, bins)};

	b.first = bins > 0 ? p->least : floor(p->least / b.width) * b.width;
	if (bins == 0)
		b.n = (size_t)floor((p->greatest - b.first) / b.width) + 1;
	set_edges(&b);
	return b;
}

static struct histogram_bins unit_bins(const struct values *p)
{
	struct histogram_bins b = {.n = (size_t)(p->greatest - p->least) + 1, .width = 1};

	b.first = p->least - 0.5;
	set_edges(&b);
	return b;
}

/* The width as a logarithm: there are 1, 2 or 5 times a power of ten in each decade. */
static double logarithmic_width(const struct values *p, unsigned bins)
{
	double span = log10(p->greatest) - log10(p->least_positive), width;
	size_t low = p->finite - p->positive, quarter = p->positive / 4;

	if (span <= 0)
		return 0.1;
	if (bins > 0)
		return span / bins;
	width = distribution_width_of(log10(values_ranked(p, low + quarter)),
				      log10(values_ranked(p, p->finite - 1 - quarter)), p->positive,
				      span);
	return 1 / fmin(round_up(1 / width), round_down(200 / span));
}

/* What is not positive has a bin of its own below the others. width: of a bin's logarithm. */
static struct histogram_bins logarithmic_bins(const struct values *p, unsigned bins, double width)
{
	struct histogram_bins b = {.width = width, .logarithmic = true};
	double lowest = log10(p->least_positive);
	size_t below = p->least > 0 ? 0 : 1;

	b.first = bins > 0 ? lowest : floor(lowest / b.width) * b.width;
	b.n = bins > 0 ? bins : (size_t)floor((log10(p->greatest) - b.first) / b.width) + 1;
	b.n += below;
	b.first -= (double)below * b.width;
	b.edges = array_zero(b.n + 1, sizeof *b.edges);
	for (size_t i = 0; i <= b.n; i++)
		b.edges[i] = pow(10, b.first + (double)i * b.width);
	/* the power of a logarithm may lie beside the number */
	b.edges[below] = bins > 0 ? p->least_positive : fmin(b.edges[below], p->least_positive);
	if (bins > 0 && p->least_positive < p->greatest)
		b.edges[b.n] = p->greatest;
	if (below)
		b.edges[0] = p->least;
	return b;
}

/* Whole numbers that span little have a bin each on every axis. */
static struct histogram_bins bins_of(const struct values *p, unsigned bins, bool logarithmic)
{
	if (bins == 0 && p->whole && p->greatest - p->least < 50)
		return unit_bins(p);
	if (logarithmic && p->positive > 0)
		return logarithmic_bins(p, bins, logarithmic_width(p, bins));
	return linear_bins(p, bins);
}

struct bin_counts {
	const struct values *pool;
	struct histogram_bins bins;
	size_t **counts; /* of each worker */
};

static void stretch_fill(void *context, const struct value_chunk *s, unsigned worker)
{
	struct bin_counts *f = context;
	size_t *counts = f->counts[worker];

	if (!counts)
		counts = f->counts[worker] = array_zero(f->bins.n, sizeof *counts);
	for (size_t i = 0; i < s->n; i++)
		if (isfinite(s->at[i]))
			counts[bin_of(&f->bins, s->at[i])]++;
}

static void fill(struct curve *h, const struct values *p, const struct histogram_bins *b)
{
	unsigned workers = parallel_workers();
	struct bin_counts f = {p, *b, array_zero(workers, sizeof(size_t *))};

	values_each(p, stretch_fill, &f);
	for (size_t i = 0; i < b->n; i++) {
		size_t count = 0;

		for (unsigned k = 0; k < workers; k++)
			count += f.counts[k] ? f.counts[k][i] : 0;
		curve_append(h, b->edges[i], (double)count);
	}
	curve_close(h, b->edges[b->n]);
	for (unsigned k = 0; k < workers; k++)
		free(f.counts[k]);
	free(f.counts);
}

static struct curve *distribution_new(enum shape shape, struct dimension of, struct dimension y)
{
	struct curve *s = curve_new(shape, y);

	s->distribution = true;
	s->xdimension = of;
	return s;
}

struct curve *histogram_of(const struct values *p, struct dimension of, unsigned bins,
			   bool logarithmic)
{
	struct curve *h = distribution_new(SHAPE_CELLS, of, DIMENSION_EVENTS);

	if (p->finite > 0) {
		struct histogram_bins b = bins_of(p, bins, logarithmic);

		fill(h, p, &b);
		free(b.edges);
	}
	return h;
}

/* The parts between the changes of a curve: it goes from one value straight to another. */
struct straights {
	double *lows, *highs, *lengths;
	size_t n;
};

static struct straights straights_of(const struct curve *s, struct limits r)
{
	size_t room = s->n + 3;
	struct straights t = {array_zero(room, sizeof *t.lows), array_zero(room, sizeof *t.highs),
			      array_zero(room, sizeof *t.lengths), 0};
	struct curve_cursor c = CURSOR(s);
	double y = cursor_right(&c, r.from), x = r.from;

	while (x < r.to) {
		double next = fmin(cursor_next(&c), r.to), left = cursor_left(&c, next);

		if (isfinite(y) && isfinite(left)) {
			t.lows[t.n] = fmin(y, left);
			t.highs[t.n] = fmax(y, left);
			t.lengths[t.n++] = next - x;
		}
		x = next;
		y = cursor_right(&c, x);
	}
	return t;
}

/* Adds the time that a part is in each bin. */
static void straight_fill(const struct histogram_bins *b, double *times, double low, double high,
			  double length)
{
	size_t i = bin_of(b, low), last = bin_of(b, high);

	if (i == last) {
		times[i] += length;
		return;
	}
	for (; i <= last; i++) {
		double from = fmax(low, b->edges[i]), to = fmin(high, b->edges[i + 1]);

		times[i] += length * (to - from) / (high - low);
	}
}

static void straights_fill(struct curve *h, const struct straights *t,
			   const struct histogram_bins *b)
{
	double *times = array_zero(b->n, sizeof *times);

	for (size_t i = 0; i < t->n; i++)
		straight_fill(b, times, t->lows[i], t->highs[i], t->lengths[i]);
	for (size_t i = 0; i < b->n; i++)
		curve_append(h, b->edges[i], times[i]);
	curve_close(h, b->edges[b->n]);
	free(times);
}

/* Sorts values and leaves each once; returns how many. */
static size_t make_different(double *values, size_t n)
{
	size_t kept = 0;

	sort_doubles(values, n);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || values[i] != values[kept - 1])
			values[kept++] = values[i];
	return kept;
}

static struct curve *histogram_of_straights(const struct curve *s, const struct straights *t,
					    unsigned bins, bool logarithmic)
{
	struct curve *h = distribution_new(SHAPE_CELLS, s->dimension, DIMENSION_TIME);
	double *different = array_new(2 * t->n + 1, sizeof *different);
	struct values p = {0};

	memcpy(different, t->lows, t->n * sizeof *different);
	memcpy(different + t->n, t->highs, t->n * sizeof *different);
	values_add(&p, different, NULL, make_different(different, 2 * t->n), 0);
	values_settle(&p);
	if (p.finite > 0) {
		struct histogram_bins b = bins_of(&p, bins, logarithmic);

		straights_fill(h, t, &b);
		free(b.edges);
	}
	curve_set_string(&h->quantity, "time");
	curve_set_string(&h->xquantity, s->quantity);
	curve_set_string(&h->group, s->group);
	h->key = s->key;
	values_clear(&p);
	free(different);
	return h;
}

static void straights_free(struct straights *t)
{
	free(t->lows);
	free(t->highs);
	free(t->lengths);
}

struct curve *histogram_of_curve(const struct curve *s, struct limits r, unsigned bins,
				 bool logarithmic)
{
	struct straights t = straights_of(s, r);
	struct curve *h = histogram_of_straights(s, &t, bins, logarithmic);

	straights_free(&t);
	return h;
}

struct curve *histogram_of_levels(const struct curve *hollow, const struct curve_level *levels,
				  size_t n, unsigned bins, bool logarithmic)
{
	struct straights t = {array_zero(n + 1, sizeof *t.lows), array_zero(n + 1, sizeof *t.highs),
			      array_zero(n + 1, sizeof *t.lengths), n};
	struct curve *h;

	for (size_t i = 0; i < n; i++) {
		t.lows[i] = t.highs[i] = levels[i].value;
		t.lengths[i] = levels[i].time;
	}
	h = histogram_of_straights(hollow, &t, bins, logarithmic);
	straights_free(&t);
	return h;
}

static struct curve *cdf_new(const struct values *p, struct dimension of)
{
	struct curve *c = distribution_new(SHAPE_STEPS, of, DIMENSION_NONE);

	c->end = p->finite > 0 ? p->greatest : 0;
	return c;
}

/* The finite values; the caller's. */
static double *sorted_values(const struct values *p)
{
	double *values = array_zero(p->finite, sizeof *values);
	size_t n = 0;

	for (size_t k = 0; k < p->n; k++)
		for (size_t i = 0; i < p->at[k].n; i++)
			if (isfinite(p->at[k].at[i]))
				values[n++] = p->at[k].at[i];
	sort_doubles(values, n);
	return values;
}

struct curve *histogram_cdf(const struct values *p, struct dimension of)
{
	struct curve *c = cdf_new(p, of);
	double *values = sorted_values(p), all = (double)p->finite;

	for (size_t i = 0; i < p->finite; i++)
		if (i + 1 == p->finite || values[i + 1] != values[i])
			curve_append(c, values[i], (double)(i + 1) / all);
	free(values);
	return c;
}

struct curve *histogram_cdf_drawn(const struct values *p, struct dimension of, bool log_x)
{
	double low = log_x ? p->least_positive : p->least, all = (double)p->finite;
	struct curve *c = cdf_new(p, of);
	struct value_slot *slots;
	size_t before = p->finite;

	if (!(low <= p->greatest))
		return c;
	slots = values_slots(p, low, p->greatest, log_x);
	for (size_t k = 0; k < VALUE_SLOTS; k++)
		before -= slots[k].n;
	for (size_t k = 0; k < VALUE_SLOTS; before += slots[k++].n) {
		if (slots[k].n == 0)
			continue;
		if (slots[k].least < slots[k].greatest)
			curve_append(c, slots[k].least, (double)(before + slots[k].at_least) / all);
		curve_append(c, slots[k].greatest, (double)(before + slots[k].n) / all);
	}
	free(slots);
	return c;
}

enum { ROWS = 40, ROWS_PER_DECADE = 10 };

/* About forty bins of a round height, or as many as are wanted. */
static struct histogram_bins even_rows(const struct values *p, unsigned bins)
{
	double span = p->greatest > p->least ? p->greatest - p->least : 1;
	struct histogram_bins b = {.n = bins,
				   .width = bins > 0 ? span / bins : round_up(span / ROWS)};

	b.first = bins > 0 ? p->least : floor(p->least / b.width) * b.width;
	if (bins == 0)
		b.n = (size_t)floor((p->greatest - b.first) / b.width) + 1;
	set_edges(&b);
	return b;
}

/* Counts the values of each window; those of one are one worker's. */
struct tile_counting {
	const struct values *pool;
	const size_t *first; /* stretch of each window */
	const struct histogram_bins *rows;
	double *counts; /* of each row of each window */
};

static void window_count(void *context, size_t window, unsigned worker)
{
	const struct tile_counting *c = context;
	double *counts = c->counts + window * c->rows->n;

	(void)worker;
	for (size_t k = c->first[window]; k < c->first[window + 1]; k++) {
		const struct value_chunk *s = &c->pool->at[k];

		for (size_t i = 0; i < s->n; i++)
			if (isfinite(s->at[i]))
				counts[bin_of(c->rows, s->at[i])]++;
	}
}

static double *count_tiles(const struct values *p, size_t windows,
			   const struct histogram_bins *rows)
{
	size_t *first = values_windows(p, windows);
	struct tile_counting c = {p, first, rows, NULL};

	c.counts = array_zero(windows * rows->n, sizeof *c.counts);
	parallel_for(windows, window_count, &c);
	free(first);
	return c.counts;
}

static void distribution_tiles_add(struct curve *heat, const struct windows *windows,
				   const struct histogram_bins *rows, const double *counts)
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
	struct histogram_bins rows;
	double *counts;

	if (p->finite == 0)
		return heat;
	if (logarithmic && p->positive > 0)
		rows = logarithmic_bins(p, 0, 1.0 / ROWS_PER_DECADE);
	else
		rows = even_rows(p, bins);
	counts = count_tiles(p, windows->n, &rows);
	distribution_tiles_add(heat, windows, &rows, counts);
	free(counts);
	free(rows.edges);
	return heat;
}
