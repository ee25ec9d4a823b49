/*
 * The functions of nibble against what they mean, written down plainly: every value is counted anew
 * from all samples, at each whole nanosecond and half of one. SEED=N repeats a run.
 * tested: oracles with random cases, ROUNDS series: the functions of nibble, and each sample
 * counted anew.
 */
#include "base/sort.h"
#include "tests/viewers/nibble/random.h"
#include "tests/tap.h"
#include "viewers/nibble/series/bottle.h"
#include "viewers/nibble/series/distribution.h"
#include "viewers/nibble/series/curve_cursor.h"
#include "viewers/nibble/series/held.h"
#include "viewers/nibble/series/sampled.h"
#include <math.h>

enum { ROUNDS = 400, LENGTH = 120 };

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

/* ---- what is right ---- */

static double count_at(const struct value_samples *s, double x)
{
	double n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->at[i] <= x;
	return n;
}

static double open_at(const struct value_samples *s, double x)
{
	double n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->at[i] <= x && s->end[i] > x;
	return n;
}

static bool thread_open_at(const struct value_samples *s, uint32_t thread, double x)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->thread[i] == thread && s->at[i] <= x && s->end[i] > x)
			return true;
	return false;
}

static double parallel_at(const struct value_samples *s, double x)
{
	double n = 0;

	for (uint32_t t = 0; t < RANDOM_THREADS; t++)
		n += thread_open_at(s, t, x);
	return n;
}

static double held_at(const struct value_samples *s, double x)
{
	double held = 0;

	for (size_t i = 0; i < s->n; i++)
		held += s->at[i] <= x && s->end[i] > x ? s->value[i] : 0;
	return held;
}

/* Whether a sample stands in window w: the last one includes its end. */
static bool stands_in(const struct value_samples *s, size_t i, const struct windows *g, size_t w)
{
	return s->at[i] >= g->edges[w] &&
	       (s->at[i] < g->edges[w + 1] || (w + 1 == g->n && s->at[i] == g->edges[g->n]));
}

static double summary_in(const struct value_samples *s, const struct windows *g, size_t w, enum summary f)
{
	double n = 0, sum = 0, least = INFINITY, greatest = -INFINITY;

	for (size_t i = 0; i < s->n; i++) {
		if (!stands_in(s, i, g, w))
			continue;
		n++;
		sum += s->value[i];
		least = fmin(least, s->value[i]);
		greatest = fmax(greatest, s->value[i]);
	}
	if (f == SUMMARY_SUM)
		return sum;
	return n == 0 ? NAN : f == SUMMARY_MEAN ? sum / n : f == SUMMARY_MIN ? least : greatest;
}

/* The least value with at least the share q of the window's values at or below it. */
static double quantile_in(const struct value_samples *s, const struct windows *g, size_t w, double q)
{
	double best = NAN, n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += stands_in(s, i, g, w);
	for (size_t i = 0; i < s->n; i++) {
		double below = 0;

		if (!stands_in(s, i, g, w))
			continue;
		for (size_t k = 0; k < s->n; k++)
			below += stands_in(s, k, g, w) && s->value[k] <= s->value[i];
		if (below >= q * n - 1e-9 && !(best <= s->value[i]))
			best = s->value[i];
	}
	return best;
}

/* The share of whole nanoseconds in which at least one is open. */
static double busy_in(const struct value_samples *s, const struct windows *g, size_t w)
{
	double busy = 0;

	for (double x = g->edges[w]; x < g->edges[w + 1]; x++)
		busy += open_at(s, x) > 0;
	return busy / (g->edges[w + 1] - g->edges[w]);
}

/* ---- the comparison ---- */

static bool steps_agree(const struct curve *s, struct limits r, const struct value_samples *of,
			double (*right)(const struct value_samples *, double))
{
	struct curve_cursor c = CURSOR(s);

	for (double x = r.from; x <= r.to; x += 0.5)
		if (!same(cursor_right(&c, x), right(of, x)))
			return false;
	return true;
}

static bool test_steps(void)
{
	struct value_samples s = random_samples(LENGTH);
	struct limits r = random_range(LENGTH);
	struct curve *count = steps_count(&s, r), *open = steps_open(&s, r);
	bool good = steps_agree(count, r, &s, count_at) && steps_agree(open, r, &s, open_at);

	curve_free(count);
	curve_free(open);
	samples_clear(&s);
	return good;
}

/* A copy in which some have no end. */
static struct value_samples copied(const struct value_samples *s, bool endless)
{
	struct value_samples copy = samples_like(s);

	samples_reserve(&copy, s->n);
	samples_copy(&copy, 0, s);
	copy.n = s->n;
	for (size_t i = 0; endless && i < s->n; i++)
		if (random_below(4) == 0)
			copy.end[i] = INFINITY;
	return copy;
}

static bool test_threads(void)
{
	struct value_samples made = random_samples(LENGTH), s = copied(&made, true);
	struct value_samples united = copied(&s, false);
	struct limits r = random_range(LENGTH);
	struct curve *parallel, *held = steps_held(&s, r, DIMENSION_NONE);
	bool good;

	samples_unite(&united, RANDOM_THREADS);
	parallel = steps_open(&united, r);
	good = steps_agree(parallel, r, &s, parallel_at) && steps_agree(held, r, &s, held_at);
	curve_free(parallel);
	curve_free(held);
	samples_clear(&united);
	samples_clear(&s);
	samples_clear(&made);
	return good;
}

/* The nanoseconds of all threads together, over a time that is given for each window. */
static bool test_share(void)
{
	struct value_samples s = random_samples(LENGTH), united = copied(&s, false);
	struct windows g = windows_make(random_range(LENGTH), 1 + random_below(40));
	double whole[LENGTH + 1];
	struct curve *share;
	bool good = true;

	for (size_t w = 0; w < g.n; w++)
		whole[w] = random_below(5) * 10;
	samples_unite(&united, RANDOM_THREADS);
	share = window_share(&united, &g, whole);
	for (size_t w = 0; w < g.n; w++) {
		double sum = 0;

		for (double x = g.edges[w]; x < g.edges[w + 1]; x++)
			sum += parallel_at(&s, x);
		good = good && same(share->y[w], whole[w] > 0 ? sum / whole[w] : NAN);
	}
	curve_free(share);
	windows_free(&g);
	samples_clear(&united);
	samples_clear(&s);
	return good;
}

/* Each nanosecond goes in equal parts to the instances that are open in it. */
static bool boxes_agree(const struct bottle_box *boxes, const struct value_samples *members, size_t n,
			struct limits r)
{
	bool good = true;

	for (size_t m = 0; m < n; m++) {
		double share = 0, area = 0;

		for (double x = r.from; x < r.to; x++) {
			double all = 0;

			for (size_t k = 0; k < n; k++)
				all += open_at(&members[k], x);
			share += all > 0 ? open_at(&members[m], x) / all : 0;
			area += open_at(&members[m], x);
		}
		good = good && same(boxes[m].share, share) && same(boxes[m].area, area);
	}
	return good;
}

static bool test_bottle(void)
{
	enum { MOST = 5 };
	struct value_samples members[MOST] = {0};
	struct bottle_box boxes[MOST];
	struct limits r = random_range(LENGTH);
	size_t n = random_below(MOST + 1), room = 0;
	struct bottle *bottle;
	bool good;

	for (size_t i = 0; i < n; i++) {
		members[i] = random_samples(LENGTH);
		room += members[i].n;
	}
	bottle = bottle_new(n, room, r);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < members[i].n; k++)
			bottle_add(bottle, i, members[i].at[k], members[i].end[k]);
	bottle_fill(bottle, boxes);
	good = boxes_agree(boxes, members, n, r);
	for (size_t i = 0; i < n; i++)
		samples_clear(&members[i]);
	return good;
}

static bool cells_agree(struct curve *cells, const struct value_samples *s, const struct windows *g,
			enum summary f)
{
	bool good = cells->n == g->n;

	for (size_t w = 0; good && w < g->n; w++)
		good = same(cells->y[w], f == SUMMARY_QUANTILE ? quantile_in(s, g, w, 0.9)
							       : summary_in(s, g, w, f));
	curve_free(cells);
	return good;
}

static bool test_summaries(void)
{
	struct value_samples s = random_samples(LENGTH);
	struct windows g = windows_make(random_range(LENGTH), 1 + random_below(40));
	bool good = true;

	for (enum summary f = SUMMARY_MEAN; f <= SUMMARY_QUANTILE; f++)
		good =
		    cells_agree(window_summary(&s, &g, f, 0.9, DIMENSION_NONE), &s, &g, f) && good;
	windows_free(&g);
	samples_clear(&s);
	return good;
}

static bool test_shares(void)
{
	struct value_samples s = random_samples(LENGTH);
	struct windows g = windows_make(random_range(LENGTH), 1 + random_below(40));
	struct curve *rate = window_rate(&s, &g), *busy = window_busy(&s, &g);
	bool good = true;

	for (size_t w = 0; w < g.n; w++) {
		double n = 0;

		for (size_t i = 0; i < s.n; i++)
			n += stands_in(&s, i, &g, w);
		good = good && same(rate->y[w] * (g.edges[w + 1] - g.edges[w]), n) &&
		       same(busy->y[w], busy_in(&s, &g, w));
	}
	curve_free(rate);
	curve_free(busy);
	windows_free(&g);
	samples_clear(&s);
	return good;
}

/* Windows leave nothing out, overlap nowhere, and none is a sliver. */
static bool test_grid(void)
{
	struct limits r = random_range(LENGTH);
	double width = 1 + random_below(60);
	struct windows g = windows_make(r, width);
	bool good = g.n > 0 && g.edges[0] == r.from && g.edges[g.n] == r.to;

	for (size_t w = 0; w < g.n; w++)
		good = good && (g.n == 1 || g.edges[w + 1] - g.edges[w] >= width / 2);
	for (size_t w = 1; w < g.n; w++)
		good = good && fmod(g.edges[w], width) == 0;
	windows_free(&g);
	return good;
}

static bool test_histogram(void)
{
	struct value_samples s = random_samples(LENGTH);
	struct limits r = random_range(LENGTH);
	struct windows whole = windows_even(r, 1);
	struct values p = values_of_samples(&s, &whole);
	struct curve *h = histogram_of(&p, DIMENSION_NONE, random_below(2) ? 0 : 1 + random_below(9),
					random_below(2));
	double all = 0;
	bool good = true;

	for (size_t b = 0; b < h->n; b++) {
		double n = 0;

		for (size_t i = 0; i < s.n; i++)
			n += s.at[i] >= r.from && s.at[i] <= r.to && s.value[i] >= h->x[b] &&
			     (s.value[i] < h->x[b + 1] ||
			      (b + 1 == h->n && s.value[i] == h->x[h->n]));
		good = good && same(h->y[b], n) && h->x[b] <= h->x[b + 1];
		all += h->y[b];
	}
	good = good && all == (double)p.finite;
	curve_free(h);
	values_clear(&p);
	windows_free(&whole);
	samples_clear(&s);
	return good;
}

/* Every nanosecond of steps is in the bin of the value that they have in it. */
static bool test_histogram_of_curve(void)
{
	struct value_samples s = random_samples(LENGTH);
	struct limits r = random_range(LENGTH);
	struct curve *steps = steps_held(&s, r, DIMENSION_NONE);
	struct curve *h = histogram_of_curve(steps, r, random_below(2) ? 0 : 1 + random_below(9),
					     random_below(2));
	bool good = h->n > 0 || r.from == r.to;

	for (size_t b = 0; b < h->n; b++) {
		double time = 0;

		for (double x = r.from; x < r.to; x++) {
			double y = held_at(&s, x);

			time += y >= h->x[b] && (y < h->x[b + 1] || b + 1 == h->n);
		}
		good = good && same(h->y[b], time);
	}
	curve_free(h);
	curve_free(steps);
	samples_clear(&s);
	return good;
}

/* What goes up straight has spent equal times at equal values. */
static bool test_histogram_of_lines(void)
{
	double slope = 1 + random_below(9), all = 0;
	struct curve *line = curve_new(SHAPE_LINES, DIMENSION_NONE), *h;
	bool good = true;

	curve_append(line, 0, 0);
	curve_append(line, LENGTH, slope * LENGTH);
	h = histogram_of_curve(line, (struct limits){0, LENGTH}, 1 + random_below(20), false);
	for (size_t b = 0; b < h->n; b++) {
		good = good && same(h->y[b], (h->x[b + 1] - h->x[b]) / slope);
		all += h->y[b];
	}
	curve_free(line);
	curve_free(h);
	return good && same(all, LENGTH);
}

/* What is kept of a piece are its first, last, least and greatest steps. */
static bool piece_agrees(const struct curve *all, const struct curve *drawn, double from, double to)
{
	double wanted[4] = {NAN, NAN, INFINITY, -INFINITY}, got[4] = {NAN, NAN, INFINITY, -INFINITY};
	bool good = true;

	for (size_t i = 0; i < all->n + drawn->n; i++) {
		const struct curve *s = i < all->n ? all : drawn;
		double *ends = i < all->n ? wanted : got, y;
		size_t k = i < all->n ? i : i - all->n;

		if (s->x[k] < from || s->x[k] >= to)
			continue;
		y = s->y[k];
		ends[0] = isnan(ends[0]) ? y : ends[0];
		ends[1] = y;
		ends[2] = fmin(ends[2], y);
		ends[3] = fmax(ends[3], y);
	}
	for (size_t i = 0; i < 4; i++)
		good = good && (isnan(wanted[i]) ? isnan(got[i]) : wanted[i] == got[i]);
	return good;
}

static bool test_held_drawn(void)
{
	struct value_samples s = random_samples(LENGTH);
	struct limits r = random_range(LENGTH);
	unsigned pieces = 1 << random_below(10);
	struct curve *all = steps_held(&s, r, DIMENSION_NONE);
	struct curve *drawn = steps_held_drawn(&s, r, DIMENSION_NONE, pieces);
	double width = (r.to - r.from) / pieces;
	bool good = drawn->before == all->before && drawn->end == all->end && drawn->n <= all->n;

	for (size_t i = 0; i < drawn->n; i++)
		good = good && drawn->y[i] == held_at(&s, drawn->x[i]);
	for (unsigned i = 0; i < pieces; i++)
		good = good && piece_agrees(all, drawn, r.from + i * width,
					    i + 1 == pieces ? INFINITY : r.from + (i + 1) * width);
	curve_free(all);
	curve_free(drawn);
	samples_clear(&s);
	return good;
}

/* The share of the values that are at most so great, at every half number. */
static bool cdf_agrees(const struct curve *c, const struct value_samples *s, double from)
{
	struct curve_cursor cursor = CURSOR(c);
	bool good = true;

	for (double v = from; s->n > 0 && v < 26; v += 0.5) {
		double below = 0;

		for (size_t i = 0; i < s->n; i++)
			below += s->value[i] <= v;
		good = good && same(cursor_right(&cursor, v), below / (double)s->n);
	}
	return good;
}

static bool test_cdf(void)
{
	struct value_samples s = random_samples(LENGTH);
	struct windows whole = windows_even((struct limits){0, LENGTH}, 1);
	struct values p = values_of_samples(&s, &whole);
	struct curve *exact = histogram_cdf(&p, DIMENSION_NONE);
	struct curve *drawn = histogram_cdf_drawn(&p, DIMENSION_NONE, false);
	struct curve *drawn_log = histogram_cdf_drawn(&p, DIMENSION_NONE, true);
	bool good = cdf_agrees(exact, &s, -6) && cdf_agrees(drawn, &s, -6);

	/* On a logarithmic axis there is nothing to see at zero and below. */
	good = (drawn_log->n == 0 || cdf_agrees(drawn_log, &s, drawn_log->x[0])) && good;
	curve_free(exact);
	curve_free(drawn);
	curve_free(drawn_log);
	values_clear(&p);
	windows_free(&whole);
	samples_clear(&s);
	return good;
}

/* Every value is in the one tile that it stands in, and no tile is empty. */
static bool test_heat(void)
{
	struct value_samples s = random_samples(LENGTH);
	struct windows g = windows_make(random_range(LENGTH), 1 + random_below(40));
	bool logarithmic = random_below(2) > 0;
	struct values p = values_of_samples(&s, &g);
	struct curve *heat =
	    heat_of(&p, &g, DIMENSION_NONE, random_below(2) ? 0 : 1 + random_below(9), logarithmic);
	double all = 0, wanted = 0;
	bool good = true;

	for (size_t k = 0; k < heat->tiles.n; k++)
		all += heat->tiles.at[k].count;
	for (size_t i = 0; i < s.n; i++) {
		size_t in = 0;

		if (s.at[i] < g.edges[0] || s.at[i] > g.edges[g.n])
			continue;
		wanted++;
		for (size_t k = 0; k < heat->tiles.n; k++) {
			const struct tile *t = &heat->tiles.at[k];

			in += s.at[i] >= t->left && s.at[i] <= t->right &&
			      s.value[i] >= t->low - 1e-9 && s.value[i] <= t->high + 1e-9;
		}
		good = good && in > 0;
	}
	curve_free(heat);
	values_clear(&p);
	windows_free(&g);
	samples_clear(&s);
	return good && all == wanted;
}

/* Enough numbers that they are sorted by their digits, with signs and fractions. */
static bool test_sort(void)
{
	enum { MANY = 20000 };
	static double numbers[MANY];
	double sum = 0;
	bool good = true;

	for (int i = 0; i < MANY; i++) {
		numbers[i] = ((double)random_below(2000) - 1000) / (1 + random_below(7));
		sum += numbers[i];
	}
	sort_doubles(numbers, MANY);
	for (int i = 1; i < MANY; i++)
		good = good && numbers[i - 1] <= numbers[i];
	for (int i = 0; i < MANY; i++)
		sum -= numbers[i];
	return good && fabs(sum) < 1e-6;
}

static bool repeat(bool (*test)(void))
{
	for (int i = 0; i < ROUNDS; i++)
		if (!test())
			return false;
	return true;
}

int main(void)
{
	random_seed();
	ok(repeat(test_steps), "count and open at every moment");
	ok(repeat(test_threads), "how many threads, and the values that are held, at every moment");
	ok(repeat(test_held_drawn), "of the values that are held, what is drawn of each piece");
	ok(repeat(test_share), "the share of the threads' time in every window");
	ok(repeat(test_bottle), "each nanosecond shared by all that are open in it");
	ok(repeat(test_summaries), "mean, min, max, sum and p90 of every window");
	ok(repeat(test_shares), "rate and busy of every window");
	ok(repeat(test_grid), "windows cut the range at multiples of their width");
	ok(repeat(test_histogram), "bins count every value once");
	ok(repeat(test_histogram_of_curve), "bins have each nanosecond of a curve once");
	ok(repeat(test_histogram_of_lines), "of a slope each bin has as much as it is wide");
	ok(repeat(test_cdf), "the cumulative distribution at every value");
	ok(repeat(test_heat), "tiles hold every value once");
	ok(test_sort(), "numbers in order, none lost");
	return tap_end();
}
