#include "viewers/nibble/histogram.h"

#include "viewers/nibble/sort.h"
#include "viewers/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct values {
	double *at;
	size_t n;
	double least, greatest;
};

/* The finite values in the range of time; the caller's. */
static struct values finite_values(const struct samples *s, struct range r)
{
	struct values v = {zeroed(s->n, sizeof *v.at), 0, INFINITY, -INFINITY};

	for (size_t i = 0; i < s->n; i++) {
		double value = s->value[i];

		if (!(s->at[i] >= r.from && s->at[i] <= r.to && isfinite(value)))
			continue;
		v.at[v.n++] = value;
		v.least = value < v.least ? value : v.least;
		v.greatest = value > v.greatest ? value : v.greatest;
	}
	return v;
}

/* As if they were sorted. */
static double value_at(const struct values *v, size_t rank)
{
	double *copy = zeroed(v->n, sizeof *copy), value;

	memcpy(copy, v->at, v->n * sizeof *copy);
	value = select_double(copy, v->n, rank);
	free(copy);
	return value;
}

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

static bool few_integers(const struct values *v)
{
	if (v->greatest - v->least >= 50)
		return false;
	for (size_t i = 0; i < v->n; i++)
		if (v->at[i] != rint(v->at[i]))
			return false;
	return true;
}

static double bin_width(const struct values *v, unsigned bins)
{
	double span = v->greatest - v->least, quartiles, width;

	if (span == 0)
		return 1;
	if (bins > 0)
		return span / bins;
	quartiles = value_at(v, v->n - 1 - v->n / 4) - value_at(v, v->n / 4);
	width = 2 * quartiles / cbrt((double)v->n);
	width = fmin(fmax(width, span / 200), span / 5);
	return fmax(round_down(width), round_up(span / 200));
}

/* Bins that begin at first; the last one has what lies behind it, too. */
struct bins {
	double first, width;
	size_t n;
};

/* The division may miss by one at an edge. */
static size_t bin_of(const struct bins *b, double value)
{
	double guess = fmin(floor((value - b->first) / b->width), (double)(b->n - 1));
	size_t i = guess > 0 ? (size_t)guess : 0;

	while (i > 0 && value < b->first + (double)i * b->width)
		i--;
	while (i + 1 < b->n && value >= b->first + (double)(i + 1) * b->width)
		i++;
	return i;
}

static void fill(struct series *h, const struct values *v, const struct bins *b)
{
	size_t *counts = zeroed(b->n, sizeof *counts);

	for (size_t i = 0; i < v->n; i++)
		counts[bin_of(b, v->at[i])]++;
	for (size_t i = 0; i < b->n; i++)
		series_append(h, b->first + (double)i * b->width, (double)counts[i]);
	series_close(h, b->first + (double)b->n * b->width);
	free(counts);
}

static struct bins bins_for(const struct values *v, unsigned bins)
{
	struct bins b = {.n = bins};

	if (bins == 0 && few_integers(v))
		return (struct bins){v->least - 0.5, 1, (size_t)(v->greatest - v->least) + 1};
	b.width = bin_width(v, bins);
	b.first = bins > 0 ? v->least : floor(v->least / b.width) * b.width;
	if (bins == 0)
		b.n = (size_t)floor((v->greatest - b.first) / b.width) + 1;
	return b;
}

static struct series *distribution_new(enum shape shape, struct dimension of, struct dimension y)
{
	struct series *s = series_new(shape, y);

	s->distribution = true;
	s->xdimension = of;
	return s;
}

struct series *histogram_of(const struct samples *s, struct range r, struct dimension of,
			    unsigned bins)
{
	struct series *h = distribution_new(SHAPE_CELLS, of, DIMENSION_EVENTS);
	struct values v = finite_values(s, r);
	struct bins b;

	if (v.n > 0) {
		b = bins_for(&v, bins);
		fill(h, &v, &b);
	}
	free(v.at);
	return h;
}

struct series *histogram_cdf(const struct samples *s, struct range r, struct dimension of)
{
	struct series *c = distribution_new(SHAPE_STEPS, of, DIMENSION_NONE);
	struct values v = finite_values(s, r);

	sort_doubles(v.at, v.n);
	for (size_t i = 0; i < v.n; i++)
		if (i + 1 == v.n || v.at[i + 1] != v.at[i])
			series_append(c, v.at[i], (double)(i + 1) / (double)v.n);
	c->end = v.n > 0 ? v.greatest : 0;
	free(v.at);
	return c;
}
