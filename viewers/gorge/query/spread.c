#include "viewers/gorge/query/spread.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "base/task.h"
#include "viewers/gorge/query/lookup.h"
#include <stdlib.h>
#include <string.h>

static inline unsigned class_of(int64_t duration)
{
	uint64_t bits = (uint64_t)duration | OCTAVE;
	unsigned shift = 63 - (unsigned)__builtin_clzll(bits) - CLASS_BITS;

	return shift * OCTAVE + (unsigned)((uint64_t)duration >> shift);
}

/* Bits that tell a class' durations apart; and the first of them. */
static unsigned class_width(unsigned class)
{
	return class < 2 * OCTAVE ? 0 : class / OCTAVE - 1;
}

static int64_t class_begin(unsigned class)
{
	return (int64_t)((uint64_t)(class - class_width(class) * OCTAVE) << class_width(class));
}

static int64_t class_last(unsigned class)
{
	return class_begin(class) + (int64_t)((UINT64_C(1) << class_width(class)) - 1);
}

static void each(const struct distribution *s, lengths_take take, void *context)
{
	lookup_lengths(s->index, s->interval, s->of->window, s->of->threads, take, context);
}

/* What each processor counts stands apart from what others do. */
static void *parts_new(size_t size)
{
	return array_zero(parallel_workers(), size);
}

static void add_up(void *context, const struct lengths *l, unsigned worker)
{
	struct distribution *s = (struct distribution *)context + worker;

	for (size_t i = 0; i < l->n; i++) {
		int64_t length = length_at(l, i);
		s->shortest = length < s->shortest ? length : s->shortest;
		s->longest = length > s->longest ? length : s->longest;
		s->total += (uint64_t)length;
		s->classes[class_of(length)]++;
	}
	s->n += l->n;
}

static void add_part(struct distribution *s, const struct distribution *part)
{
	s->n += part->n;
	s->total += part->total;
	s->shortest = part->shortest < s->shortest ? part->shortest : s->shortest;
	s->longest = part->longest > s->longest ? part->longest : s->longest;
	for (unsigned class = 0; class < CLASSES; class++)
		s->classes[class] += part->classes[class];
}

struct distribution *distribution_new(struct trace_index *m, const struct interval *interval, const struct duration_query *of)
{
	struct distribution *parts = parts_new(sizeof *parts), *s = array_zero(1, sizeof *s);
	unsigned workers = parallel_workers();

	for (unsigned i = 0; i < workers; i++) {
		parts[i].shortest = INT64_MAX;
		parts[i].longest = INT64_MIN;
	}
	*s = parts[0];
	s->index = m;
	s->interval = interval;
	s->of = of;
	each(s, add_up, parts);
	for (unsigned i = 0; i < workers; i++)
		add_part(s, &parts[i]);
	free(parts);
	return s;
}

/* ---- quantiles ---- */

/* Bins of those that are near the quantile, and how many of these are less than it. */
struct narrowing {
	struct quantile_bins bins;
	size_t place;
};

static void narrow_to_class(const struct distribution *s, double q, struct narrowing *n)
{
	unsigned class = 0;

	n->place = quantile_place(s->n, q);
	for (; n->place >= s->classes[class]; class ++)
		n->place -= s->classes[class];
	quantile_bins_set(&n->bins, class_begin(class),
			  (UINT64_C(1) << class_width(class)) - 1);
}

static inline void count_near(struct narrowing *n, int64_t length)
{
	size_t bin = quantile_bin(&n->bins, length);

	if (bin < QUANTILE_BINS)
		n->bins.count[bin]++;
}

/* ---- what is looked at more closely ---- */

struct closer {
	const struct distribution *spread;
	bool flagged[CLASSES];
	struct narrowing quantiles[QUANTILES];
	const struct distribution_bins *bins; /* NULL: not wanted */
	uint64_t counts[DISTRIBUTION_BINS];	/* of the bins */
	uint64_t picked;
};

static bool is_picked(const struct closer *c, int64_t duration)
{
	return duration >= c->spread->of->least && duration <= c->spread->of->most;
}

/* The last bin that does not begin behind the duration. */
static int bin_of(const struct closer *c, int64_t duration)
{
	int low = 0, high = DISTRIBUTION_BINS;

	while (high - low > 1) {
		int middle = (low + high) / 2;
		if (c->bins->edges[middle] <= duration)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Whether a class' durations are all alike for what is asked. */
static bool is_decided(const struct closer *c, unsigned class)
{
	int64_t first = class_begin(class), last = class_last(class);
	const struct duration_query *of = c->spread->of;

	for (int q = 0; q < QUANTILES; q++)
		if (c->quantiles[q].bins.span && c->quantiles[q].bins.low == first)
			return false;
	return (of->least <= first || of->least > last) && (of->most < first || of->most >= last) &&
	       (!c->bins || bin_of(c, first) == bin_of(c, last));
}

static void decide_classes(struct closer *c)
{
	for (unsigned class = 0; class < CLASSES; class ++) {
		uint64_t n = c->spread->classes[class];
		if (n == 0)
			continue;
		c->flagged[class] = !is_decided(c, class);
		if (c->flagged[class])
			continue;
		c->picked += is_picked(c, class_begin(class)) ? n : 0;
		if (c->bins)
			c->counts[bin_of(c, class_begin(class))] += n;
	}
}

static void look(void *context, const struct lengths *l, unsigned worker)
{
	struct closer *c = (struct closer *)context + worker;

	for (size_t i = 0; i < l->n; i++) {
		int64_t length = length_at(l, i);
		if (!c->flagged[class_of(length)])
			continue;
		for (int q = 0; q < QUANTILES; q++)
			count_near(&c->quantiles[q], length);
		c->picked += is_picked(c, length);
		if (c->bins)
			c->counts[bin_of(c, length)]++;
	}
}

static void look_near(void *context, const struct lengths *l, unsigned worker)
{
	struct closer *c = (struct closer *)context + worker;

	for (size_t i = 0; i < l->n; i++)
		for (int q = 0; q < QUANTILES; q++)
			count_near(&c->quantiles[q], length_at(l, i));
}

/* Counts on all processors, for the same bins. */
static void pass(struct closer *c, lengths_take take)
{
	struct closer *parts = parts_new(sizeof *parts);
	unsigned workers = parallel_workers();

	for (unsigned i = 0; i < workers; i++) {
		parts[i] = *c;
		parts[i].picked = 0;
		memset(parts[i].counts, 0, sizeof parts[i].counts);
	}
	each(c->spread, take, parts);
	for (unsigned i = 0; i < workers; i++) {
		c->picked += parts[i].picked;
		for (int k = 0; k < DISTRIBUTION_BINS; k++)
			c->counts[k] += parts[i].counts[k];
		for (int q = 0; q < QUANTILES; q++)
			quantile_bins_add(&c->quantiles[q].bins, &parts[i].quantiles[q].bins);
	}
	free(parts);
}

static bool narrow_all(struct closer *c)
{
	bool narrow = true;

	for (int q = 0; q < QUANTILES; q++) {
		struct narrowing *n = &c->quantiles[q];

		if (n->bins.span)
			quantile_bins_narrow(&n->bins, quantile_bin_at(&n->bins, &n->place));
		narrow &= n->bins.span == 0;
	}
	return narrow;
}

void distribution_look(const struct distribution *s, const double *q, int64_t *quantiles, uint64_t *picked,
		 struct distribution_bins *bins)
{
	struct closer *c = array_zero(1, sizeof *c);

	c->spread = s;
	c->bins = bins;
	for (int i = 0; i < QUANTILES; i++)
		narrow_to_class(s, q[i], &c->quantiles[i]);
	decide_classes(c);
	pass(c, look);
	while (!task_stopped() && !narrow_all(c))
		pass(c, look_near);
	for (int i = 0; i < QUANTILES; i++)
		quantiles[i] = c->quantiles[i].bins.low;
	*picked = c->picked;
	if (bins)
		memcpy(bins->counts, c->counts, sizeof bins->counts);
	free(c);
}
