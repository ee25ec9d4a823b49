#include "viewers/nibble/histogram.h"

#include "viewers/nibble/sort.h"
#include "viewers/vector.h"

#include <math.h>
#include <stdlib.h>

/* The finite values in the range of time, sorted; the caller's. */
static double *sorted_values(const struct samples *s, struct range r, size_t *n)
{
	double *values = zeroed(s->n, sizeof *values);

	*n = 0;
	for (size_t i = 0; i < s->n; i++)
		if (s->at[i] >= r.from && s->at[i] <= r.to && isfinite(s->value[i]))
			values[(*n)++] = s->value[i];
	sort_doubles(values, *n);
	return values;
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

static bool few_integers(const double *values, size_t n)
{
	if (values[n - 1] - values[0] >= 50)
		return false;
	for (size_t i = 0; i < n; i++)
		if (values[i] != rint(values[i]))
			return false;
	return true;
}

static double bin_width(const double *values, size_t n, unsigned bins)
{
	double span = values[n - 1] - values[0];
	double quartiles = values[n - 1 - n / 4] - values[n / 4];
	double width = 2 * quartiles / cbrt((double)n);

	if (span == 0)
		return 1;
	if (bins > 0)
		return span / bins;
	width = fmin(fmax(width, span / 200), span / 5);
	return fmax(round_down(width), round_up(span / 200));
}

static struct series *fill(struct series *h, const double *values, size_t n, double first,
			   double width, size_t bins)
{
	size_t i = 0;

	for (size_t b = 0; b < bins; b++) {
		size_t count = 0;

		for (; i < n && (values[i] < first + (double)(b + 1) * width || b + 1 == bins); i++)
			count++;
		series_append(h, first + (double)b * width, (double)count);
	}
	series_close(h, first + (double)bins * width);
	return h;
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
	double first, width;
	size_t n, count;
	double *values = sorted_values(s, r, &n);

	if (n > 0 && bins == 0 && few_integers(values, n)) {
		count = (size_t)(values[n - 1] - values[0]) + 1;
		fill(h, values, n, values[0] - 0.5, 1, count);
	} else if (n > 0) {
		width = bin_width(values, n, bins);
		first = bins > 0 ? values[0] : floor(values[0] / width) * width;
		count = bins > 0 ? bins : (size_t)floor((values[n - 1] - first) / width) + 1;
		fill(h, values, n, first, width, count);
	}
	free(values);
	return h;
}

struct series *histogram_cdf(const struct samples *s, struct range r, struct dimension of)
{
	struct series *c = distribution_new(SHAPE_STEPS, of, DIMENSION_NONE);
	size_t n;
	double *values = sorted_values(s, r, &n);

	for (size_t i = 0; i < n; i++)
		if (i + 1 == n || values[i + 1] != values[i])
			series_append(c, values[i], (double)(i + 1) / (double)n);
	c->end = n > 0 ? values[n - 1] : 0;
	free(values);
	return c;
}
