/*
 * The least-squares line against what makes it one: no line beside it has smaller squares, the residuals sum to 0,
 * and r2 is the share of the squares that it takes away. Prints its seed; SEED=N begins with another.
 */
#include "analysis/replay/changes/fit.h"
#include "tests/random.h"
#include "tests/tap.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { CASES = 2000, MOST = 60, NEIGHBOURS = 20 };

static double unit(struct random *r)
{
	return (double)random_below(r, 1000001) / 1e6 - 0.5;
}

static double squares(const double *x, const double *y, size_t n, double intercept, double slope)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += pow(y[i] - intercept - slope * x[i], 2);
	return sum;
}

static bool near(double a, double b, double scale)
{
	return fabs(a - b) <= 1e-9 * fmax(1, scale);
}

static bool case_holds(struct random *r)
{
	size_t n = 2 + random_below(r, MOST - 1);
	double x[MOST], y[MOST], mean = 0, sum = 0, least, all;
	double a = 1e6 * unit(r), b = 1e3 * unit(r), noise = random_below(r, 3) * 1e4;
	struct fit_line line;

	for (size_t i = 0; i < n; i++) {
		x[i] = i < 2 ? (double)i : random_below(r, 5000);
		y[i] = a + b * x[i] + noise * unit(r);
		mean += y[i] / (double)n;
	}
	if (!fit_line_find(x, y, n, &line))
		return false;
	least = squares(x, y, n, line.intercept, line.slope);
	all = squares(x, y, n, mean, 0);
	for (size_t i = 0; i < n; i++)
		sum += y[i] - line.intercept - line.slope * x[i];
	for (int i = 0; i < NEIGHBOURS; i++)
		if (squares(x, y, n, line.intercept + 100 * unit(r), line.slope + unit(r) / 100) <
		    least - 1e-9 * all)
			return false;
	return near(sum, 0, (double)n * 1e7) && near(line.r2 * all, all - least, all);
}

int main(void)
{
	static const double same[] = {4096.1, 4096.1, 4096.1}, x[] = {1, 2, 4}, level[] = {3, 3, 3};
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	struct random r = {seed};
	struct fit_line line;
	bool good = true;

	printf("# SEED=%llu\n", (unsigned long long)seed);
	for (int i = 0; i < CASES && good; i++)
		good = case_holds(&r);
	ok(good, "2000 random lines have the least squares");
	ok(!fit_line_find(same, x, 3, &line), "one x has none");
	ok(fit_line_find(x, level, 3, &line) && line.slope == 0 && line.r2 == 0,
	   "one y does not depend on x");
	return tap_end();
}
