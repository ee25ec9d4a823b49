#include "viewers/nibble/series/held.h"
#include "base/array.h"
#include "base/sort.h"
#include "viewers/nibble/series/sampled.h"
#include "viewers/nibble/series/step_extremes.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Returns how many bits a number needs. */
static unsigned bits_of(double number)
{
	unsigned bits = 0;

	while (ldexp(1, (int)bits) <= number)
		bits++;
	return bits;
}

/*
 * Sorts the ends as words: the time since the first start, and the place, which is what is left.
 * Returns NULL if a time has too many bits; what ends later than all of `until` ends then.
 */
static uint64_t *ends_by_words(const struct value_samples *s, double until)
{
	double first = s->n > 0 ? s->at[0] : 0;
	unsigned places = bits_of((double)s->n), times = bits_of(until + 1 - first);
	uint64_t *words, *spare, most = (uint64_t)(fmax(until - first, 0) + 1);

	if (places + times > 64 || until < first)
		return NULL;
	words = array_new(s->n + 1, sizeof *words);
	spare = array_new(s->n + 1, sizeof *spare);
	for (size_t i = 0; i < s->n; i++)
		words[i] = (uint64_t)(fmin(s->end[i], until + 1) - first) << places | i;
	sort_bits(words, s->n, places, most << places | (((uint64_t)1 << places) - 1), spare);
	free(spare);
	for (size_t k = 0; k < s->n; k++)
		words[k] &= ((uint64_t)1 << places) - 1;
	return words;
}

struct end_place {
	double end;
	size_t place;
};

static int compare_ends(const void *left, const void *right)
{
	const struct end_place *a = left, *b = right;

	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

/* Returns the places of the samples in the order of their ends. */
static uint64_t *ends_in_order(const struct value_samples *s, double until)
{
	uint64_t *places = ends_by_words(s, until);
	struct end_place *ends;

	if (places)
		return places;
	ends = array_zero(s->n + 1, sizeof *ends);
	places = array_zero(s->n + 1, sizeof *places);
	for (size_t i = 0; i < s->n; i++)
		ends[i] = (struct end_place){s->end[i], i};
	qsort(ends, s->n, sizeof *ends, compare_ends);
	for (size_t i = 0; i < s->n; i++)
		places[i] = ends[i].place;
	free(ends);
	return places;
}

/* The sum of what is held, from one moment at which it changes to the next. */
struct held_sweep {
	const struct value_samples *samples;
	uint64_t *ends; /* places in the order of the ends */
	size_t started, ended;
	long double held;
};

static bool starts_next(const struct held_sweep *h)
{
	const struct value_samples *s = h->samples;

	return h->started < s->n && s->at[h->started] <= s->end[h->ends[h->ended]];
}

/* Finds the next moment and the sum after it. Returns false if there is none. */
static inline bool held_next(struct held_sweep *h, struct step_vertex *v)
{
	const struct value_samples *s = h->samples;
	bool any = false;

	while (h->ended < s->n) {
		bool starts = starts_next(h);
		size_t end = h->ends[h->ended];
		double x = starts ? s->at[h->started] : s->end[end];

		if (any && x != v->x)
			break;
		h->held += starts ? s->value[h->started++] : -s->value[end];
		h->ended += !starts;
		v->x = x;
		any = true;
	}
	v->y = (double)h->held;
	return any;
}

struct curve *steps_held(const struct value_samples *s, struct limits r, struct dimension d)
{
	struct held_sweep h = {.samples = s, .ends = ends_in_order(s, r.to)};
	struct curve *steps = curve_new(SHAPE_STEPS, d);
	struct step_vertex v;

	while (held_next(&h, &v))
		curve_append(steps, v.x, v.y);
	free(h.ends);
	return curve_crop(steps, r);
}

struct curve *steps_held_drawn(const struct value_samples *s, struct limits r, struct dimension d,
			       unsigned pieces)
{
	struct held_sweep h = {.samples = s, .ends = ends_in_order(s, r.to)};
	double width = (r.to - r.from) / pieces, next = r.from + width;
	struct curve *steps = curve_new(SHAPE_STEPS, d);
	struct step_extremes e = {.any = false};
	struct step_vertex v;

	while (held_next(&h, &v) && v.x <= r.to) {
		if (v.x < r.from) {
			steps->before = v.y;
			continue;
		}
		if (v.x >= next) {
			step_extremes_append(steps, &e);
			e.any = false;
			next = r.from + (floor((v.x - r.from) / width) + 1) * width;
		}
		step_extremes_take(&e, v);
	}
	step_extremes_append(steps, &e);
	steps->end = r.to;
	free(h.ends);
	return steps;
}
