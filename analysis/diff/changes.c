#include "analysis/diff/changes.h"
#include "match/stats/run_test.h"
#include "match/stats/significance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const diff_row_names[NDIFF_TABLES] = {"interval", "function", "thread", "lock",
						  "memory"};

bool diff_runs_suffice(unsigned before, unsigned after)
{
	return run_test_reach(before, after) < DIFF_LIMIT;
}

/* ---- means ---- */

/* The mean of those that are there. */
static double mean_of(const double *values, unsigned n)
{
	double sum = 0;
	unsigned there = 0;

	for (unsigned i = 0; i < n; i++)
		if (!isnan(values[i])) {
			sum += values[i];
			there++;
		}
	return there ? sum / there : NAN;
}

static bool is_complete(const struct diff_changes *c, const struct change *x)
{
	for (unsigned i = 0; i < c->before + c->after; i++)
		if (isnan(x->values[i]))
			return false;
	return true;
}

void change_add(struct diff_changes *c, struct change change)
{
	change.before = mean_of(change.values, c->before);
	change.after = mean_of(change.values + c->before, c->after);
	change.p = NAN;
	if (is_complete(c, &change))
		change.estimated = mean_change(change.values, c->before, change.values + c->before,
					       c->after, &change.low, &change.high);
	*vector_add(&c->all) = change;
}

/* ---- the test ---- */

/*
 * Returns whether a change is tested with the others. A change below the floor in every grouping
 * is not tested: it cannot matter. This does not depend on which run is in which group.
 */
static bool is_tested(const struct diff_changes *c, const struct change *x)
{
	double least = INFINITY, most = -INFINITY;

	for (unsigned i = 0; i < c->before + c->after; i++) {
		least = fmin(least, x->values[i]);
		most = fmax(most, x->values[i]);
	}
	return is_complete(c, x) && most > least && (most - least) * x->weight >= c->floor[x->unit];
}

/* What is small counts as so much: factors near the floor are damped. */
static double floor_of(const struct diff_changes *c, const struct change *x)
{
	return c->floor[x->unit] > 0 ? c->floor[x->unit] : 1;
}

/*
 * Factors are compared, so logarithms are tested: what takes three times as long also varies by
 * three times as much, and one slow run among fast ones weighs less.
 */
static double *logarithms(const struct diff_changes *c, const struct change *x)
{
	double *logs = array_new(c->before + c->after, sizeof *logs);

	for (unsigned i = 0; i < c->before + c->after; i++)
		logs[i] = log(fmax(x->values[i] * x->weight, 0) + floor_of(c, x));
	return logs;
}

static void changes_test(struct diff_changes *c)
{
	double **values = array_new(c->all.n, sizeof *values);
	size_t *at = array_new(c->all.n, sizeof *at);
	double *p = array_new(c->all.n, sizeof *p);

	for (size_t i = 0; i < c->all.n; i++)
		if (is_tested(c, &c->all.at[i])) {
			values[c->tested] = logarithms(c, &c->all.at[i]);
			at[c->tested++] = i;
		}
	run_test((const double *const *)values, c->tested, c->before, c->after, p);
	for (size_t i = 0; i < c->tested; i++) {
		c->all.at[at[i]].p = p[i];
		free(values[i]);
	}
	free(values);
	free(at);
	free(p);
}

/* ---- verdicts ---- */

static enum change_verdict verdict_of(const struct diff_changes *all, const struct change *c)
{
	if (isnan(c->before) || isnan(c->after))
		return VERDICT_UNTESTED;
	if (c->before == c->after)
		return VERDICT_SAME;
	if (fabs(c->after - c->before) * c->weight < all->floor[c->unit])
		return VERDICT_SMALL;
	if (isnan(c->p))
		return VERDICT_UNTESTED;
	if (c->p >= DIFF_LIMIT)
		return VERDICT_NOISE;
	return c->after > c->before ? VERDICT_MORE : VERDICT_LESS;
}

double change_factor(const struct change *c)
{
	return c->before == c->after ? 1 : c->after / c->before;
}

bool change_exceeds(const struct change *c, double limit)
{
	return c->verdict == VERDICT_MORE && limit < INFINITY &&
	       c->after - c->before > limit * c->before;
}

/* How far apart, as a factor; what is near the floor counts less. */
static double distance(const struct diff_changes *all, const struct change *c)
{
	double least = floor_of(all, c);
	double factor = (c->after * c->weight + least) / (c->before * c->weight + least);

	return isnan(factor) ? 0 : fabs(log(factor));
}

/* Changes come before what was not tested, and both before the rest. */
static int class_of(const struct change *c)
{
	return c->verdict >= VERDICT_LESS ? 0 : c->verdict == VERDICT_UNTESTED ? 1 : 2;
}

static int change_order(const void *a, const void *b, void *all)
{
	const struct change *x = a, *y = b;
	double far = distance(all, x), other = distance(all, y);
	int order;

	if (class_of(x) != class_of(y))
		return class_of(x) - class_of(y);
	if (x->sums != y->sums)
		return x->sums - y->sums;
	if (far != other)
		return far > other ? -1 : 1;
	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->measure, y->measure);
}

void changes_judge(struct diff_changes *c)
{
	if (diff_runs_suffice(c->before, c->after))
		changes_test(c);
	for (size_t i = 0; i < c->all.n; i++)
		c->all.at[i].verdict = verdict_of(c, &c->all.at[i]);
	if (c->all.n)
		qsort_r(c->all.at, c->all.n, sizeof *c->all.at, change_order, c);
}

void changes_free(struct diff_changes *c)
{
	for (size_t i = 0; i < c->all.n; i++) {
		free(c->all.at[i].name);
		free(c->all.at[i].values);
	}
	free(c->all.at);
}
