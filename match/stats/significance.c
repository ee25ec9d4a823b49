#include "match/stats/significance.h"
#include "base/search.h"
#include <math.h>
#include <stdbool.h>

/* ---- the rank-sum test ---- */

/* Returns how many values from start on are equal. */
static size_t count_equal(const int64_t *values, size_t n, size_t start)
{
	size_t end = start;

	while (end < n && values[end] == values[start])
		end++;
	return end - start;
}

struct ranks {
	double sum;  /* of b's ranks in both sets together, ties having their mean */
	double ties; /* sum of t^3 - t over the groups of t equal values */
};

static struct ranks rank_both(const int64_t *a, size_t na, const int64_t *b, size_t nb)
{
	struct ranks r = {0, 0};
	size_t i = 0, j = 0;

	while (i < na || j < nb) {
		bool from_a = j == nb || (i < na && a[i] <= b[j]);
		bool from_b = i == na || (j < nb && b[j] <= a[i]);
		size_t in_a = from_a ? count_equal(a, na, i) : 0;
		size_t in_b = from_b ? count_equal(b, nb, j) : 0;
		double equal = (double)(in_a + in_b);

		r.sum += (double)in_b * ((double)(i + j) + (equal + 1) / 2);
		r.ties += equal * equal * equal - equal;
		i += in_a;
		j += in_b;
	}
	return r;
}

struct rank_sum rank_sum_test(const int64_t *a, size_t na, const int64_t *b, size_t nb)
{
	double pairs = (double)na * (double)nb, n = (double)na + (double)nb;
	struct ranks r;
	double u, deviation, z;

	if (na == 0 || nb == 0)
		return (struct rank_sum){.p = 1, .greater = 0.5};
	r = rank_both(a, na, b, nb);
	u = r.sum - (double)nb * ((double)nb + 1) / 2;
	deviation = sqrt(pairs / 12 * (n + 1 - r.ties / (n * fmax(n - 1, 1))));
	z = deviation > 0 ? fmax(fabs(u - pairs / 2) - 0.5, 0) / deviation : 0;
	return (struct rank_sum){.p = erfc(z / sqrt(2)), .greater = u / pairs};
}

/* ---- sums ---- */

double count_test(double a, double b)
{
	double sum = a + b;

	return sum > 0 ? erfc(fmax(fabs(a - b) - 1, 0) / sqrt(2 * sum)) : 1;
}

static double mean_of(const struct sample *s)
{
	return s->sum / (double)s->n;
}

/* The variance of the mean. */
static double mean_variance(const struct sample *s)
{
	double n = (double)s->n;

	return fmax((s->squares - s->sum * s->sum / n) / (n - 1) / n, 0);
}

/* Student's t as a normal deviate (Wallace 1959). */
static double student_test(double t, double freedom)
{
	if (isinf(freedom))
		return erfc(t / sqrt(2));
	return erfc(sqrt(freedom * log1p(t * t / freedom)) * (8 * freedom + 1) / (8 * freedom + 3) / sqrt(2));
}

/* The degrees of freedom of a difference (Welch, Satterthwaite). */
static double difference_freedom(double va, double freedom_a, double vb, double freedom_b)
{
	double sum = va * va / freedom_a + vb * vb / freedom_b;

	return sum > 0 ? (va + vb) * (va + vb) / sum : INFINITY;
}

double estimate_test(const struct estimate *a, const struct estimate *b, double step)
{
	double variance = a->variance + b->variance;
	double apart = fmax(fabs(a->value - b->value) - step / 2, 0);

	if (apart == 0)
		return 1;
	if (variance <= 0)
		return 0;
	return student_test(apart / sqrt(variance),
			    difference_freedom(a->variance, a->freedom, b->variance, b->freedom));
}

double estimate_half_width(const struct estimate *a, const struct estimate *b)
{
	double z = 1.959963984540054, error = sqrt(a->variance + b->variance);
	double freedom = difference_freedom(a->variance, a->freedom, b->variance, b->freedom);

	if (isinf(freedom))
		return z * error;
	/* the inverse of student_test() */
	z *= (8 * freedom + 3) / (8 * freedom + 1);
	return sqrt(freedom * expm1(z * z / freedom)) * error;
}

double mean_test(const struct sample *a, const struct sample *b)
{
	double va, vb, t;

	if (a->n < 2 || b->n < 2)
		return NAN;
	va = mean_variance(a);
	vb = mean_variance(b);
	/* what is less than rounding leaves is no difference */
	if (fabs(mean_of(a) - mean_of(b)) <= 1e-12 * fabs(mean_of(a)))
		return 1;
	if (va + vb == 0)
		return 0;
	t = fabs(mean_of(a) - mean_of(b)) / sqrt(va + vb);
	return student_test(t, difference_freedom(va, (double)a->n - 1, vb, (double)b->n - 1));
}

double total_test(const struct sample *a, const struct sample *b)
{
	double count = count_test((double)a->n, (double)b->n), mean = mean_test(a, b);

	if (isnan(mean) && a->n && b->n)
		return NAN;
	return fmin(1, 2 * fmin(count, isnan(mean) ? 1 : mean));
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
	apart = fabs(in_a / (double)na - in_b / (double)nb) -
		(1 / (double)na + 1 / (double)nb) / 2;
	deviation = sqrt(all * (1 - all) * (1 / (double)na + 1 / (double)nb));
	return deviation > 0 ? erfc(fmax(apart, 0) / deviation / sqrt(2)) : 1;
}
