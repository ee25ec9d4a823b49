#include "viewers/nibble/sample/values.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/sort.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one processor takes at a time. */
enum { STRETCH = 1 << 18 };
/* So few are sorted and not counted again. */
enum { FEW = 1 << 16 };

void values_add(struct values *p, const double *values, const double *times, size_t n,
		size_t window)
{
	for (size_t i = 0; i < n; i += STRETCH)
		*vector_add(p) = (struct value_chunk){
		    values + i,
		    times ? times + i : NULL,
		    n - i < STRETCH ? n - i : STRETCH,
		    window,
		};
}

void values_clear(struct values *p)
{
	free(p->at);
	*p = (struct values){0};
}

struct each {
	const struct values *pool;
	void (*work)(void *context, const struct value_chunk *s, unsigned worker);
	void *context;
};

static void stretch_work(void *context, size_t i, unsigned worker)
{
	const struct each *e = context;

	e->work(e->context, &e->pool->at[i], worker);
}

void values_each(const struct values *p,
		 void (*work)(void *context, const struct value_chunk *s, unsigned worker),
		 void *context)
{
	struct each e = {p, work, context};

	parallel_for(p->n, stretch_work, &e);
}

/* What a worker found, in a cache line of its own. */
struct value_extent {
	_Alignas(64) size_t finite, positive;
	double least, greatest, least_positive;
	bool whole;
};

static void values_find_range(void *context, const struct value_chunk *s, unsigned worker)
{
	struct value_extent *shared = (struct value_extent *)context + worker, f = *shared;

	for (size_t i = 0; i < s->n; i++) {
		double value = s->at[i];

		if (!(fabs(value) <= DBL_MAX))
			continue;
		f.finite++;
		f.least = value < f.least ? value : f.least;
		f.greatest = value > f.greatest ? value : f.greatest;
		f.positive += value > 0;
		if (value > 0 && value < f.least_positive)
			f.least_positive = value;
		f.whole &= value == rint(value);
	}
	*shared = f;
}

void values_settle(struct values *p)
{
	struct value_extent none = {0, 0, INFINITY, -INFINITY, INFINITY, true};
	unsigned workers = parallel_workers();
	struct value_extent *found = aligned_alloc(64, workers * sizeof *found);

	if (!found)
		array_exhausted();
	for (unsigned i = 0; i < workers; i++)
		found[i] = none;
	values_each(p, values_find_range, found);
	for (unsigned i = 0; i < workers; i++) {
		none.finite += found[i].finite;
		none.positive += found[i].positive;
		none.least = fmin(none.least, found[i].least);
		none.greatest = fmax(none.greatest, found[i].greatest);
		none.least_positive = fmin(none.least_positive, found[i].least_positive);
		none.whole &= found[i].whole;
	}
	p->finite = none.finite;
	p->positive = none.positive;
	p->least = none.least;
	p->greatest = none.greatest;
	p->least_positive = none.least_positive;
	p->whole = none.whole;
	free(found);
}

struct values values_of_samples(const struct value_samples *s, const struct windows *windows)
{
	struct values p = {0};
	size_t first = 0, last;

	while (first < s->n && s->at[first] < windows->edges[0])
		first++;
	for (size_t w = 0; w < windows->n; w++, first = last) {
		for (last = first; last < s->n && windows_find(windows, s->at[last], w) == w;
		     last++)
			;
		values_add(&p, s->value + first, s->at + first, last - first, w);
	}
	values_settle(&p);
	return p;
}

size_t *values_windows(const struct values *p, size_t n)
{
	size_t *first = array_zero(n + 1, sizeof *first), k = 0;

	for (size_t w = 0; w <= n; w++) {
		while (k < p->n && p->at[k].window < w)
			k++;
		first[w] = k;
	}
	return first;
}

/* Maps values to slots; rises with the value, whatever is rounded. */
struct slotting {
	const struct values *pool;
	double low, high, scale;
	bool logarithmic;
	struct value_slot **slots; /* of each worker */
};

/* The bits of positive numbers rise with them, and in each octave evenly. */
static double values_bits_of(double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return (double)bits;
}

static struct slotting slotting_of(const struct values *p, double low, double high,
				   bool logarithmic)
{
	double length = logarithmic ? values_bits_of(high) - values_bits_of(low) : high - low;

	return (struct slotting){
	    .pool = p,
	    .low = low,
	    .high = high,
	    .scale = fmin(VALUE_SLOTS / length, DBL_MAX),
	    .logarithmic = logarithmic,
	};
}

static size_t values_slot_of(const struct slotting *g, double value)
{
	double from_low =
	    g->logarithmic ? values_bits_of(value) - values_bits_of(g->low) : value - g->low;
	double slot = from_low * g->scale;

	return slot < VALUE_SLOTS ? (size_t)slot : VALUE_SLOTS - 1;
}

static void slot_take(struct value_slot *slot, double value)
{
	if (slot->n == 0) {
		*slot = (struct value_slot){1, 1, value, value};
		return;
	}
	slot->n++;
	if (value < slot->least)
		slot->at_least = 0;
	slot->least = value < slot->least ? value : slot->least;
	slot->at_least += value == slot->least;
	slot->greatest = value > slot->greatest ? value : slot->greatest;
}

static void stretch_slots(void *context, const struct value_chunk *s, unsigned worker)
{
	const struct slotting *g = context;
	struct value_slot *slots = g->slots[worker];

	if (!slots)
		slots = g->slots[worker] = array_zero(VALUE_SLOTS, sizeof *slots);
	for (size_t i = 0; i < s->n; i++)
		if (s->at[i] >= g->low && s->at[i] <= g->high)
			slot_take(&slots[values_slot_of(g, s->at[i])], s->at[i]);
}

static void slot_join(struct value_slot *to, const struct value_slot *from)
{
	if (from->n == 0)
		return;
	if (to->n == 0) {
		*to = *from;
		return;
	}
	if (from->least < to->least)
		to->at_least = 0;
	if (from->least <= to->least)
		to->at_least += from->at_least;
	to->least = fmin(to->least, from->least);
	to->greatest = fmax(to->greatest, from->greatest);
	to->n += from->n;
}

struct value_slot *values_slots(const struct values *p, double low, double high, bool logarithmic)
{
	struct slotting g = slotting_of(p, low, high, logarithmic);
	struct value_slot *slots = array_zero(VALUE_SLOTS, sizeof *slots);
	unsigned workers = parallel_workers();

	g.slots = array_zero(workers, sizeof(struct value_slot *));
	values_each(p, stretch_slots, &g);
	for (unsigned i = 0; i < workers; i++) {
		for (size_t k = 0; g.slots[i] && k < VALUE_SLOTS; k++)
			slot_join(&slots[k], &g.slots[i][k]);
		free(g.slots[i]);
	}
	free(g.slots);
	return slots;
}

/* Returns the value of a rank among the n values from low to high. */
static double select_between(const struct values *p, double low, double high, size_t n, size_t rank)
{
	double *values = array_zero(n, sizeof *values), value;
	size_t count = 0;

	for (size_t k = 0; k < p->n; k++)
		for (size_t i = 0; i < p->at[k].n; i++) {
			value = p->at[k].at[i];
			if (value >= low && value <= high)
				values[count++] = value;
		}
	value = select_double(values, count, rank);
	free(values);
	return value;
}

double values_ranked(const struct values *p, size_t rank)
{
	double low = p->least, high = p->greatest;
	size_t n = p->finite, before = n + 1;

	/* Numbers whose difference underflows stay in one slot. */
	while (n > FEW && n < before && low < high) {
		struct value_slot *slots = values_slots(p, low, high, false);
		size_t k = 0;

		while (rank >= slots[k].n)
			rank -= slots[k++].n;
		before = n;
		low = slots[k].least;
		high = slots[k].greatest;
		n = slots[k].n;
		free(slots);
	}
	return low < high ? select_between(p, low, high, n, rank) : low;
}
