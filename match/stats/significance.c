#include "match/stats/significance.h"
#include "base/search.h"
#include <math.h>

/* ---- means ---- */

struct estimate {
	double value, variance, freedom;
};

static struct estimate mean_estimate(const double *values, size_t n)
{
	struct estimate e = {.freedom = (double)n - 1};

	for (size_t i = 0; i < n; i++)
		e.value += values[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		e.variance += (values[i] - e.value) * (values[i] - e.value) / e.freedom / (double)n;
	return e;
}

bool mean_change(const double *a, size_t na, const double *b, size_t nb, double *low, double *high)
{
	struct estimate x, y;
	double z = 1.959963984540054, sum, freedom, half = 0;

	if (na < 2 || nb < 2)
		return false;
	x = mean_estimate(a, na);
	y = mean_estimate(b, nb);
	sum = x.variance + y.variance;
	if (sum > 0) {
		/*
		 * degrees of freedom: Welch, Satterthwaite; Student's t from a normal deviate:
		 * Wallace
		 */
		freedom =
		    sum * sum /
		    (x.variance * x.variance / x.freedom + y.variance * y.variance / y.freedom);
		z *= (8 * freedom + 3) / (8 * freedom + 1);
		half = sqrt(freedom * expm1(z * z / freedom)) * sqrt(sum);
	}
	*low = y.value - x.value - half;
	*high = y.value - x.value + half;
	return true;
}

/* ---- quantiles ---- */

/* How many of an ascending list are beyond a value; what is equal counts half. */
static double beyond(const int64_t *values, size_t n, int64_t value)
{
	size_t less = lower_bound(i, 0, n, values[i] < value);
	size_t not_more = lower_bound(i, less, n, values[i] <= value);

	return (double)(n - not_more) + (double)(not_more - less) / 2;
}

/* The value at a place of two ascending lists together. */
static int64_t both_at(const int64_t *a, size_t na, const int64_t *b, size_t nb, size_t place)
{
	size_t least = place > nb ? place - nb : 0, most = place < na ? place : na;
	size_t i = lower_bound(k, least, most, a[k] < b[place - k - 1]), j = place - i;

	return j == nb || (i < na && a[i] <= b[j]) ? a[i] : b[j];
}

double quantile_test(const int64_t *a, size_t na, const int64_t *b, size_t nb, double q)
{
	double n = (double)na + (double)nb, in_a, in_b, all, apart, deviation;
	int64_t value;

	if (!na || !nb)
		return NAN;
	value = both_at(a, na, b, nb, (size_t)(q * (n - 1)));
	in_a = beyond(a, na, value);
	in_b = beyond(b, nb, value);
	all = (in_a + in_b) / n;
	apart = fabs(in_a / (double)na - in_b / (double)nb) - (1 / (double)na + 1 / (double)nb) / 2;
	deviation = sqrt(all * (1 - all) * (1 / (double)na + 1 / (double)nb));
	return deviation > 0 ? erfc(fmax(apart, 0) / deviation / sqrt(2)) : 1;
}
