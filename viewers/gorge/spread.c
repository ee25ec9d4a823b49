#include "viewers/gorge/spread.h"
#include "trace/series.h"
#include "viewers/gorge/lookup.h"
#include "viewers/vector.h"
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

static void each(const struct spread *s, lengths_take take, void *context)
{
	lookup_lengths(s->model, s->interval, s->of->window, s->of->threads, take, context);
}

static void add_up(void *context, const struct lengths *l)
{
	struct spread *s = context;

	for (size_t i = 0; i < l->n; i++) {
		int64_t length = length_at(l, i);
		s->shortest = length < s->shortest ? length : s->shortest;
		s->longest = length > s->longest ? length : s->longest;
		s->total += (uint64_t)length;
		s->classes[class_of(length)]++;
	}
	s->n += l->n;
}

struct spread *spread_new(struct model *m, const struct interval *interval, const struct durations_of *of)
{
	struct spread *s = zeroed(1, sizeof *s);

	s->model = m;
	s->interval = interval;
	s->of = of;
	s->shortest = INT64_MAX;
	s->longest = INT64_MIN;
	each(s, add_up, s);
	return s;
}

/* ---- quantiles: the digits of the one that is looked for, the highest first ---- */

enum { DIGIT_BITS = 12, DIGITS = 1 << DIGIT_BITS };

/* It lies in [begin, begin + 2^width), and so many of these stand before it. */
struct narrowing {
	int64_t begin;
	unsigned width;
	uint64_t place;
	uint64_t digits[DIGITS]; /* how many have each of the next digits */
};

static void narrow_to_class(const struct spread *s, double q, struct narrowing *n)
{
	unsigned class = 0;

	n->place = quantile_place(s->n, q);
	for (; n->place >= s->classes[class]; class ++)
		n->place -= s->classes[class];
	n->begin = class_begin(class);
	n->width = class_width(class);
}

static inline unsigned digit_shift(const struct narrowing *n)
{
	return n->width < DIGIT_BITS ? 0 : n->width - DIGIT_BITS;
}

static inline void count_digit(struct narrowing *n, int64_t length)
{
	uint64_t behind = (uint64_t)length - (uint64_t)n->begin;

	if (n->width && behind >> n->width == 0)
		n->digits[behind >> digit_shift(n)]++;
}

/* By what was counted. */
static void narrow_to_digit(struct narrowing *n)
{
	uint64_t digit = 0;

	if (n->width == 0)
		return;
	for (; n->place >= n->digits[digit]; digit++)
		n->place -= n->digits[digit];
	n->begin += (int64_t)(digit << digit_shift(n));
	n->width = digit_shift(n);
	memset(n->digits, 0, sizeof n->digits);
}

/* ---- what is looked at more closely ---- */

struct closer {
	const struct spread *spread;
	bool flagged[CLASSES];
	struct narrowing quantiles[QUANTILES];
	struct spread_bins *bins; /* NULL: not wanted */
	uint64_t picked;
};

static bool is_picked(const struct closer *c, int64_t duration)
{
	return duration >= c->spread->of->least && duration <= c->spread->of->most;
}

/* The last bin that does not begin behind the duration. */
static int bin_of(const struct closer *c, int64_t duration)
{
	int low = 0, high = SPREAD_BINS;

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
	const struct durations_of *of = c->spread->of;

	for (int q = 0; q < QUANTILES; q++)
		if (c->quantiles[q].width && c->quantiles[q].begin == first)
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
			c->bins->counts[bin_of(c, class_begin(class))] += n;
	}
}

static void look(void *context, const struct lengths *l)
{
	struct closer *c = context;

	for (size_t i = 0; i < l->n; i++) {
		int64_t length = length_at(l, i);
		if (!c->flagged[class_of(length)])
			continue;
		for (int q = 0; q < QUANTILES; q++)
			count_digit(&c->quantiles[q], length);
		c->picked += is_picked(c, length);
		if (c->bins)
			c->bins->counts[bin_of(c, length)]++;
	}
}

static void look_for_digits(void *context, const struct lengths *l)
{
	struct closer *c = context;

	for (size_t i = 0; i < l->n; i++)
		for (int q = 0; q < QUANTILES; q++)
			count_digit(&c->quantiles[q], length_at(l, i));
}

static bool narrow_all(struct closer *c)
{
	bool narrow = true;

	for (int q = 0; q < QUANTILES; q++) {
		narrow_to_digit(&c->quantiles[q]);
		narrow &= c->quantiles[q].width == 0;
	}
	return narrow;
}

void spread_look(const struct spread *s, const double *q, int64_t *quantiles, uint64_t *picked,
		 struct spread_bins *bins)
{
	struct closer *c = zeroed(1, sizeof *c);

	c->spread = s;
	c->bins = bins;
	for (int i = 0; i < QUANTILES; i++)
		narrow_to_class(s, q[i], &c->quantiles[i]);
	decide_classes(c);
	each(s, look, c);
	while (!narrow_all(c))
		each(s, look_for_digits, c);
	for (int i = 0; i < QUANTILES; i++)
		quantiles[i] = c->quantiles[i].begin;
	*picked = c->picked;
	free(c);
}
