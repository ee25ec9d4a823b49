/*
 * Tallies against samples: on random traces each expression gives the same series whether it is
 * tallied in one pass over the logs, or computed from the merged lists of events.
 */
#include "tests/viewers/nibble/random.h"
#include "tests/tap.h"
#include "viewers/nibble/run.h"
#include "viewers/nibble/sample/window_tally.h"
#include "viewers/nibble/series/curve_cursor.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 20 };

static const char *const exact[] = {
    "rate(A)",
    "rate(A, window 7 ns)",
    "rate(A[where n >= 3])",
    "rate(A[thread=5])",
    "rate(B) per thread",
    "mean(A.n)",
    "mean(A.d, window 30 ns)",
    "sum(A.n, window 11 ns) per thread",
    "rate(A.n, window 11 ns) per thread",
    "rate(A.d) per u",
    "min(A.d)",
    "max(A.n[where d < 2])",
    "p50(A.n)",
    "p99(A.d, window 40 ns)",
    "p0.1(A.n) per thread",
    "hist(A.n)",
    "hist(A.d, bins 5)",
    "cdf(A.n)",
    "cdf(A.d) per thread",
    "heat(A.d)",
    "heat(A.n, window 50 ns, bins 4)",
    "mean(A.n) - p50(A.n)",
    "smooth(rate(A), 10 ns)",
    "count(A)",
    "hist(parallel(I))",
    "hist(parallel(I) * open(I) - 2)",
    "hist(count(A) - 3, bins 4)",
    "max(A.n[thread=\"w*\"])",
    "rate(A) per n",
    "rate(A[where d < 3], window 9 ns) per n",
    "mean(A.d) per n",
    "max(A.n[thread=6]) per n",
    "p50(A.d, window 40 ns) per n",
    "hist(A.d) per n",
    "cdf(A.d) per n",
    "heat(A.n) per n",
    "sum(A.d) per u",
    "min(A.n) per l",
};
enum { NEXACT = sizeof exact / sizeof *exact };

static const char *const drawn[] = {"count(A)",
				    "count(B)",
				    "count(A[where n > 2])",
				    "count(A) per thread",
				    "count(A) per n",
				    "count(A[where d > 1]) per u",
				    "count(A) - count(B)",
				    "-(count(A) * 2 + 3) / count(I)",
				    "7 - (count(A) - -count(B))",
				    "-(count(B) - 0.5) + count(A)",
				    "open(I)",
				    "parallel(I)",
				    "parallel(I) - open(I) * 2",
				    "open(I.time)",
				    "open(I) - count(I[where a.n > 2]) + unmatched(I)"};
enum { NDRAWN = sizeof drawn / sizeof *drawn };

static const char *const points[] = {
    "value(A.n)",	  "value(A.d) per thread", "value(A.d) per n", "value(A.n[where d > 1])",
    "value(A.n) * 2 - 3", "-value(A.d) / 4",	   "5 - value(A.n)",   "time(I) * 2"};
enum { NPOINTS = sizeof points / sizeof *points };

static void log_write(FILE *f, unsigned number, const char *name)
{
	unsigned ticks = 1000;

	fprintf(f, "log %u name=%s\n", number, name);
	for (unsigned n = 1 + random_below(60); n > 0; n--) {
		ticks += random_below(9);
		if (random_below(3))
			fprintf(f, "%u A n=%d d=%u u=%u l=%llu\n", ticks, (int)random_below(12) - 4,
				random_below(5), UINT_MAX - random_below(3),
				ULLONG_MAX - random_below(3));
		else
			fprintf(f, "%u B n=%d d=%u\n", ticks, (int)random_below(12) - 4,
				random_below(5));
	}
}

/* Thread numbers with gaps, times that meet. */
static bool trace_write(void)
{
	const char *build = getenv("BUILD");
	char command[1000];
	FILE *f = fopen("nibble_tally.recipe", "w");

	if (!f)
		return false;
	fputs("spec random.spec <<\nglimpse random\nevent A(int n, double d, uint u, ulong l);\n"
	      "event B(int n, double d);\n"
	      "interval I [ a:A -> b:B ] where a.n <= b.n;\nend random.\n>>\n",
	      f);
	log_write(f, 1, "main");
	log_write(f, 5, "w1");
	log_write(f, 6, "w2");
	fputs("log 7 name=w3\n1040 B n=0 d=0\n", f); /* no run ends before the ranges begin */
	fclose(f);
	snprintf(command, sizeof command,
		 "rm -rf nibble_tally.run && %s/tests/trace/mklog nibble_tally.recipe "
		 "nibble_tally.run",
		 build ? build : ".");
	return system(command) == 0;
}

/* So few windows that families are given up when their values turn out to be many. */
enum { FEW_WINDOWS = 1000 };

/* The families of all expressions; least: of how many events on there are tallies. */
static struct family *evaluate_with(uint64_t least, const struct nibble_options *o, size_t *n)
{
	struct diag diag = {.out = stderr, .program = "nibble_tally"};
	struct expressions x = {0};
	struct runs runs;
	struct family *families = array_zero(o->nexpressions, sizeof *families);

	tally_least = least;
	*n = o->nexpressions;
	if (!expressions_take(&x, o->expressions, o->nexpressions, &diag) ||
	    !runs_open(&runs, o, &diag) || !runs_evaluate(&runs, o, &x, families, &diag))
		exit(2);
	runs_close(&runs);
	expressions_free(&x);
	return families;
}

static void families_free(struct family *families, size_t n)
{
	for (size_t i = 0; i < n; i++)
		family_free(&families[i]);
	free(families);
}

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-12 * fabs(b);
}

static bool same_tiles(const struct curve *a, const struct curve *b)
{
	bool good = a->tiles.n == b->tiles.n;

	for (size_t i = 0; good && i < a->tiles.n; i++)
		good = memcmp(&a->tiles.at[i], &b->tiles.at[i], sizeof a->tiles.at[i]) == 0;
	return good;
}

static bool same_series(const struct curve *a, const struct curve *b)
{
	size_t edges = a->shape == SHAPE_CELLS && a->n > 0 ? a->n + 1 : a->n;
	bool good = a->shape == b->shape && a->n == b->n && a->key == b->key &&
		    same(a->before, b->before) && same(a->end, b->end) && same_tiles(a, b) &&
		    !strcmp(a->title, b->title) && !strcmp(a->quantity, b->quantity) &&
		    !strcmp(a->group ? a->group : "", b->group ? b->group : "");

	for (size_t i = 0; good && i < a->n; i++)
		good = same(a->y[i], b->y[i]);
	for (size_t i = 0; good && i < edges; i++)
		good = a->x[i] == b->x[i];
	return good;
}

/* Each vertex of what is drawn stands on the exact curve, and both end at the same height. */
static bool stands_on(const struct curve *a, const struct curve *b)
{
	struct curve_cursor c = CURSOR(b);
	bool good = same(a->before, b->before) && a->end == b->end && (a->n > 0) == (b->n > 0) &&
		    (a->n == 0 || same(a->y[a->n - 1], b->y[b->n - 1]));

	for (size_t i = 0; good && i < a->n; i++)
		good = same(cursor_right(&c, a->x[i]), a->y[i]);
	return good;
}

/* Each point that is drawn is one of them, and the extremes are among those. */
static bool is_among(const struct curve *a, const struct curve *b)
{
	bool good = a->shape == b->shape && a->n <= b->n && (a->n > 0) == (b->n > 0) &&
		    curve_greatest(a) == curve_greatest(b);

	for (size_t i = 0; good && i < a->n; i++) {
		size_t k = 0;

		while (k < b->n && !(b->x[k] == a->x[i] && b->y[k] == a->y[i]))
			k++;
		good = k < b->n;
	}
	return good;
}

static bool agree(const struct nibble_options *o,
		  bool (*compare)(const struct curve *a, const struct curve *b))
{
	size_t n;
	struct family *fast = evaluate_with(0, o, &n), *plain = evaluate_with(UINT64_MAX, o, &n);
	bool good = true;

	for (size_t i = 0; i < n; i++) {
		bool equal = fast[i].n == plain[i].n;

		for (size_t k = 0; equal && k < fast[i].n; k++)
			equal = compare(fast[i].at[k], plain[i].at[k]);
		if (!equal)
			printf("# differs: %s\n", o->expressions[i]);
		good = good && equal;
	}
	families_free(fast, n);
	families_free(plain, n);
	return good;
}

/* Of expressions whose series are exact. */
static bool all_agree(struct nibble_options *o)
{
	size_t most = tally_most;
	bool good;

	o->action = ACTION_CSV;
	o->expressions = exact;
	o->nexpressions = NEXACT;
	good = agree(o, same_series);
	tally_most = FEW_WINDOWS;
	good = agree(o, same_series) && good;
	tally_most = most;
	return good;
}

int main(void)
{
	static const char *const run = "nibble_tally.run";
	struct nibble_options o = {.runs = &run, .nruns = 1, .allow_empty = true};
	bool exact_good = true, range_good = true, drawn_good = true, points_good = true;

	random_seed();
	for (int i = 0; i < ROUNDS; i++) {
		if (!trace_write())
			return 2;
		o.from = INT64_MIN;
		o.to = INT64_MAX;
		exact_good = all_agree(&o) && exact_good;
		o.from = random_below(30);
		o.to = o.from + 1 + random_below(60);
		range_good = all_agree(&o) && range_good;
		o.action = ACTION_DRAW;
		o.expressions = drawn;
		o.nexpressions = NDRAWN;
		drawn_good = agree(&o, stands_on) && drawn_good;
		o.expressions = points;
		o.nexpressions = NPOINTS;
		points_good = agree(&o, is_among) && points_good;
	}
	ok(exact_good, "tallies and samples give the same");
	ok(range_good, "in a part of the run");
	ok(drawn_good, "counts that are drawn stand on the exact ones");
	ok(points_good, "points that are drawn are some of the exact ones");
	return tap_end() || system("rm -rf nibble_tally.run nibble_tally.recipe") != 0;
}
