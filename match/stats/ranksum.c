#include "match/stats/ranksum.h"

#include <math.h>
#include <stdbool.h>

/* How many of the values from start on are equal to the one there. */
static size_t run_length(const int64_t *values, size_t n, size_t start)
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

static struct ranks rank(const int64_t *a, size_t na, const int64_t *b, size_t nb)
{
	struct ranks r = {0, 0};
	size_t i = 0, j = 0;

	while (i < na || j < nb) {
		bool from_a = j == nb || (i < na && a[i] <= b[j]);
		bool from_b = i == na || (j < nb && b[j] <= a[i]);
		size_t in_a = from_a ? run_length(a, na, i) : 0;
		size_t in_b = from_b ? run_length(b, nb, j) : 0;
		double equal = (double)(in_a + in_b);

		r.sum += (double)in_b * ((double)(i + j) + (equal + 1) / 2);
		r.ties += equal * equal * equal - equal;
		i += in_a;
		j += in_b;
	}
	return r;
}

struct ranksum ranksum_test(const int64_t *a, size_t na, const int64_t *b, size_t nb)
{
	double pairs = (double)na * (double)nb, n = (double)na + (double)nb;
	struct ranks r;
	double u, deviation, z;

	if (na == 0 || nb == 0)
		return (struct ranksum){.p = 1, .greater = 0.5};
	r = rank(a, na, b, nb);
	u = r.sum - (double)nb * ((double)nb + 1) / 2;
	deviation = sqrt(pairs / 12 * (n + 1 - r.ties / (n * fmax(n - 1, 1))));
	z = deviation > 0 ? fmax(fabs(u - pairs / 2) - 0.5, 0) / deviation : 0;
	return (struct ranksum){.p = erfc(z / sqrt(2)), .greater = u / pairs};
}
