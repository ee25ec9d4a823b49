/*
 * Operators, smoothing and reduction of nibble against their definitions, on random series. SEED=N
 * repeats a run.
 * tested: oracles with random cases, ROUNDS series: the operators of nibble, and their
 * definitions.
 */
#include "tests/viewers/nibble/random.h"
#include "tests/tap.h"
#include "viewers/nibble/series/combine.h"
#include "viewers/nibble/series/reduce.h"
#include "viewers/nibble/series/curve_cursor.h"
#include "viewers/nibble/series/sampled.h"
#include "viewers/nibble/series/transform.h"
#include <math.h>

enum { ROUNDS = 300, LENGTH = 100 };

static const struct limits whole = {0, LENGTH};

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

/* Steps, lines, points or cells with gaps. */
static struct curve *random_series(void)
{
	struct value_samples s = random_samples(LENGTH);
	struct windows g = windows_make(whole, 1 + random_below(30));
	struct curve *steps, *r;

	switch (random_below(4)) {
	case 0:
		r = steps_count(&s, whole);
		break;
	case 1:
		r = points_of(&s, whole, DIMENSION_NONE);
		break;
	case 2:
		r = window_summary(&s, &g, SUMMARY_MEAN, 0, DIMENSION_NONE);
		break;
	default:
		steps = steps_open(&s, whole);
		r = curve_smooth(steps, 1 + random_below(20), whole);
		curve_free(steps);
	}
	windows_free(&g);
	samples_clear(&s);
	return r;
}

/*
 * The mean over [from, to), by cutting it where the series changes: a new cursor each time, nothing
 * shared.
 */
static double mean_of(const struct curve *s, double from, double to)
{
	double sum = 0, covered = 0, step = 1.0 / 64;

	for (double x = from; x < to - step / 2; x += step) {
		struct curve_cursor c = CURSOR(s);
		double y = cursor_right(&c, x + step / 2);

		if (!isnan(y)) {
			sum += y * step;
			covered += step;
		}
	}
	return covered > step / 2 ? sum / covered : NAN;
}

static double apply(enum arithmetic op, double a, double b)
{
	switch (op) {
	case OPERATION_ADD:
		return a + b;
	case OPERATION_SUB:
		return a - b;
	case OPERATION_MUL:
		return a * b;
	default:
		return b == 0 ? NAN : a / b;
	}
}

static bool cells_agree(const struct curve *r, enum arithmetic op, const struct curve *a,
			const struct curve *b)
{
	for (size_t i = 0; i < r->n; i++) {
		double from = r->x[i], to = r->x[i + 1];
		double wanted = apply(op, mean_of(a, from, to), mean_of(b, from, to));

		/*
		 * The plain mean samples at 64 places in a nanosecond: lines are met to a few
		 * digits.
		 */
		if (isnan(wanted) != isnan(r->y[i]) && op != OPERATION_DIV)
			return false;
		if (op != OPERATION_DIV && !isnan(wanted) &&
		    fabs(wanted - r->y[i]) > 1e-2 * fmax(1, fabs(wanted)))
			return false;
	}
	return true;
}

static bool moments_agree(const struct curve *r, enum arithmetic op, const struct curve *a,
			  const struct curve *b)
{
	bool lines = r->shape == SHAPE_LINES;

	for (size_t i = 0; i < r->n; i++) {
		struct curve_cursor ca = CURSOR(a), cb = CURSOR(b), cr = CURSOR(r);
		double x = r->x[i] + (lines ? 0 : 0.25);

		if (!same(cursor_right(&cr, x),
			  apply(op, cursor_right(&ca, x), cursor_right(&cb, x))))
			return false;
	}
	return true;
}

static bool test_operators(void)
{
	struct curve *a = random_series(), *b = random_series();
	enum arithmetic op = (enum arithmetic)random_below(4);
	struct curve *r = curve_combine(op, a, b);
	bool good = r->shape == SHAPE_CELLS ? cells_agree(r, op, a, b) : moments_agree(r, op, a, b);

	if (!good)
		printf("# shapes %d and %d, operator %d\n", a->shape, b->shape, op);
	curve_free(a);
	curve_free(b);
	curve_free(r);
	return good;
}

static bool test_difference(void)
{
	struct curve *a = random_series(), *zero = curve_combine(OPERATION_SUB, a, a);
	bool good = true;

	for (size_t i = 0; i < zero->n; i++)
		good = good && (zero->y[i] == 0 || isnan(zero->y[i]));
	curve_free(a);
	curve_free(zero);
	return good;
}

/* Steps smoothed: the mean around each vertex, by definition. */
static bool test_smooth(void)
{
	struct value_samples s = random_samples(LENGTH);
	struct curve *steps = steps_open(&s, whole);
	double length = 1 + random_below(30);
	struct curve *r = curve_smooth(steps, length, whole);
	bool good = r->n > 1 && r->x[0] == whole.from && r->x[r->n - 1] == whole.to;

	for (size_t i = 0; i < r->n; i++) {
		struct curve_cursor c = CURSOR(steps);
		double from = fmax(r->x[i] - length / 2, whole.from);
		double to = fmin(r->x[i] + length / 2, whole.to);

		good = good && same(r->y[i], cursor_mean(&c, from, to)) &&
		       fabs(r->y[i] - mean_of(steps, from, to)) < 1e-2 * fmax(1, r->y[i]);
	}
	curve_free(r);
	curve_free(steps);
	samples_clear(&s);
	return good;
}

/*
 * Each column's least and greatest value, and the first and last, are still there; and nothing is
 * invented.
 */
static bool column_kept(const struct curve *all, const struct curve *few, double from, double to)
{
	double extremes[2][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
	const struct curve *both[] = {all, few};

	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < both[k]->n; i++)
			if (both[k]->x[i] >= from && both[k]->x[i] < to) {
				extremes[k][0] = fmin(extremes[k][0], both[k]->y[i]);
				extremes[k][1] = fmax(extremes[k][1], both[k]->y[i]);
			}
	return extremes[0][0] == extremes[1][0] && extremes[0][1] == extremes[1][1];
}

static bool test_reduction(void)
{
	struct canvas canvas = {whole, 1 + random_below(5), 10, false, false};
	struct curve *s = curve_new(SHAPE_LINES, DIMENSION_NONE), *few;
	double column = (double)LENGTH / canvas.columns;
	bool good;

	for (double x = 0; x < LENGTH; x += 1 + random_below(3))
		curve_append(s, x, random_below(1000));
	few = curve_drawn(s, &canvas);
	good = few->n <= s->n;
	for (unsigned i = 0; i < canvas.columns; i++)
		good = good && column_kept(s, few, i * column, (i + 1) * column);
	curve_free(s);
	curve_free(few);
	return good;
}

static bool repeat(bool (*test)(void))
{
	for (int i = 0; i < ROUNDS; i++)
		if (!test())
			return false;
	return true;
}

/* Little's law: arrivals per time, times the mean time inside, is the mean number inside. */
static bool test_little(void)
{
	struct value_samples s = {.has_end = true, .has_value = true};
	struct windows g = windows_make(whole, 50);
	struct curve *open, *rate, *mean, *product, *quotient;
	bool good;

	for (double at = 0; at < LENGTH; at += 10)
		samples_add(&s, &(struct value_sample){at, at + 5, 5, 0, 0});
	open = steps_open(&s, whole);
	rate = window_rate(&s, &g);
	mean = window_summary(&s, &g, SUMMARY_MEAN, 0, DIMENSION_TIME);
	product = curve_combine(OPERATION_MUL, rate, mean);
	quotient = curve_combine(OPERATION_DIV, open, product);
	good = quotient->n == 2 && same(quotient->y[0], 1) && same(quotient->y[1], 1) &&
	       dimension_equal(product->dimension, DIMENSION_EVENTS) &&
	       dimension_equal(quotient->dimension, DIMENSION_NONE);
	curve_free(open);
	curve_free(rate);
	curve_free(mean);
	curve_free(product);
	curve_free(quotient);
	windows_free(&g);
	samples_clear(&s);
	return good;
}

int main(void)
{
	random_seed();
	ok(repeat(test_operators), "the operators between every two shapes");
	ok(repeat(test_difference), "a series minus itself is zero");
	ok(repeat(test_smooth), "smoothed steps are means");
	ok(repeat(test_reduction), "drawing loses no extreme");
	ok(test_little(), "Little's law holds on an even stream, units included");
	return tap_end();
}
