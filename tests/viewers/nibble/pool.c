/*
 * Values looked at by all processors: ranks against a sort, and the points that are drawn against
 * the pixels that all of them light.
 */
#include "base/array.h"
#include "base/sort.h"
#include "tests/viewers/nibble/random.h"
#include "tests/tap.h"
#include "viewers/nibble/series/reduce.h"
#include <math.h>
#include <string.h>

enum { ROUNDS = 30 };

/* Of so many values that they are parted, each rank is where it would be if they were sorted. */
static bool test_ranks(void)
{
	enum { MANY = 200000 };
	struct value_samples s = {.has_value = true};
	struct windows whole = windows_even((struct limits){0, 1}, 1);
	double size = pow(10, random_below(300)), *sorted = array_zero(MANY, sizeof *sorted);
	bool good = true;
	struct values p;

	for (size_t i = 0; i < MANY; i++)
		samples_add(&s,
			    &(struct value_sample){.value = random_below(3) ? random_below(1000) : size});
	memcpy(sorted, s.value, MANY * sizeof *sorted);
	sort_doubles(sorted, MANY);
	p = values_of_samples(&s, &whole);
	for (int i = 0; i < 5; i++) {
		size_t rank = random_below(MANY);

		good = good && values_ranked(&p, rank) == sorted[rank];
	}
	values_clear(&p);
	windows_free(&whole);
	samples_clear(&s);
	free(sorted);
	return good;
}

static struct value_samples cloud(size_t n)
{
	struct value_samples s = {.has_value = true};
	double at = 0;

	for (size_t i = 0; i < n; i++) {
		at += random_below(3);
		samples_add(&s,
			    &(struct value_sample){.at = at, .value = (double)random_below(900) - 100});
	}
	return s;
}

static bool is_among(const struct value_samples *s, double x, double y)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->at[i] == x && s->value[i] == y)
			return true;
	return false;
}

/* The row of half pixels that a value stands in; negative: it is not drawn. */
static int row_of(const struct canvas *c, const struct values *p, double y)
{
	double low = c->log_y ? log(p->least_positive) : p->least;
	double high = c->log_y ? log(p->greatest) : p->greatest;

	if (c->log_y && y <= 0)
		return -1;
	return (int)fmin(((c->log_y ? log(y) : y) - low) * (2.0 * c->rows / (high - low)),
			 2.0 * c->rows - 1);
}

/* Which half pixels are lit: by the samples, or by what is drawn of them. */
static unsigned char *lit_by(const double *x, const double *y, size_t n, const struct windows *columns,
			     const struct canvas *c, const struct values *p)
{
	unsigned char *lit = array_zero(columns->n * 2 * c->rows, 1);

	for (size_t i = 0; i < n; i++) {
		int row = row_of(c, p, y[i]);

		if (row >= 0)
			lit[windows_find(columns, x[i], 0) * 2 * c->rows + (size_t)row] = 1;
	}
	return lit;
}

/* Every point that is drawn is one of them, and together they light what all of them light. */
static bool test_scatter(void)
{
	struct value_samples s = cloud(1 + random_below(3000));
	struct canvas c = {.columns = 5 + random_below(20), .rows = 5 + random_below(20)};
	struct windows columns;
	struct values p;
	struct curve *drawn;
	unsigned char *all, *some;
	bool good;

	c.log_y = random_below(2);
	c.x = (struct limits){0, s.at[s.n - 1] + 1};
	columns = windows_even(c.x, scatter_columns(&c));
	p = values_of_samples(&s, &columns);
	drawn = scatter_drawn(&p, &columns, &c, DIMENSION_NONE);
	all = lit_by(s.at, s.value, s.n, &columns, &c, &p);
	some = lit_by(drawn->x, drawn->y, drawn->n, &columns, &c, &p);
	good = memcmp(all, some, columns.n * 2 * c.rows) == 0;
	for (size_t i = 0; i < drawn->n; i++)
		good = good && is_among(&s, drawn->x[i], drawn->y[i]) &&
		       (i == 0 || drawn->x[i - 1] <= drawn->x[i]);
	free(all);
	free(some);
	curve_free(drawn);
	values_clear(&p);
	windows_free(&columns);
	samples_clear(&s);
	return good;
}

static bool repeat(bool (*test)(void), int rounds)
{
	for (int i = 0; i < rounds; i++)
		if (!test())
			return false;
	return true;
}

int main(void)
{
	random_seed();
	ok(repeat(test_ranks, 10), "ranks are those of the sorted values");
	ok(repeat(test_scatter, ROUNDS), "points that are drawn light all pixels");
	return tap_end();
}
