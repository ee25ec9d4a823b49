#include "trace/format/clock.h"
#include <stdlib.h>
#include <string.h>

#define NEAR 1000000	       /* 1 ms: pairs nearer than this say little about the rate */
#define FAR (INT64_C(1) << 61) /* ns */

static int pair_compare(const void *left, const void *right)
{
	const struct clock_sample *a = left, *b = right;

	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? -1 : 1;
	return (a->monotonic > b->monotonic) - (a->monotonic < b->monotonic);
}

/* No system counts slower than 1 MHz or faster than 1 THz. */
static bool rate_plausible(const struct clock_sample *a, const struct clock_sample *b)
{
	__int128 ticks = (__int128)b->ticks - a->ticks, ns = (__int128)b->monotonic - a->monotonic;

	return ns > 0 && ticks >= ns / 1000 && ticks / 1000 <= ns;
}

/*
 * Clocks are steered by less than a thousandth; a pair that lies further from the trusted line is
 * a lie.
 */
static bool pair_agrees(const struct clock_sample *p, const struct clock_sample *trusted)
{
	__int128 ticks = (__int128)trusted[1].ticks - trusted[0].ticks;
	__int128 ns = (__int128)trusted[1].monotonic - trusted[0].monotonic;
	__int128 distance = (__int128)p->ticks - trusted[0].ticks;
	__int128 expected, difference;

	if (ns < NEAR || !rate_plausible(&trusted[0], &trusted[1]))
		return true;
	expected = trusted[0].monotonic + distance * ns / ticks;
	difference = p->monotonic > expected ? p->monotonic - expected : expected - p->monotonic;
	return difference <= NEAR + (distance < 0 ? -distance : distance) * ns / ticks / 1000;
}

/* Keeps, in order, the pairs that are possible and at least NEAR apart. */
static size_t pairs_thin(struct clock_sample *pairs, size_t n, const struct clock_sample *trusted)
{
	size_t kept = 0;

	qsort(pairs, n, sizeof *pairs, pair_compare);
	for (size_t i = 0; i < n; i++) {
		if (pairs[i].monotonic < 0 || pairs[i].monotonic >= FAR || pairs[i].ticks >> 61)
			continue;
		if (trusted && !pair_agrees(&pairs[i], trusted))
			continue;
		if (kept && (pairs[i].monotonic - pairs[kept - 1].monotonic < NEAR ||
			     !rate_plausible(&pairs[kept - 1], &pairs[i])))
			continue;
		pairs[kept++] = pairs[i];
	}
	return kept;
}

void clock_slope(struct clock_line *p, uint64_t ticks, uint64_t ns)
{
	unsigned __int128 rate;

	p->shift = 64;
	do {
		p->shift--;
		rate = (((unsigned __int128)ns << p->shift) + ticks - 1) / ticks;
	} while (rate >> 62);
	p->rate = (int64_t)rate;
}

static void lines_limit(struct clock *c)
{
	struct clock_line *first = &c->lines[0], *last = &c->lines[c->nlines - 1];
	unsigned __int128 reach = ((unsigned __int128)FAR << first->shift) / (uint64_t)first->rate;
	uint64_t end;

	if (reach > (uint64_t)FAR)
		reach = FAR;
	end = first->from + first->span;
	first->from = first->base > (uint64_t)reach ? first->base - (uint64_t)reach : 0;
	first->span = end - first->from;
	reach = ((unsigned __int128)FAR << last->shift) / (uint64_t)last->rate;
	if (reach > (uint64_t)FAR)
		reach = FAR;
	last->span = last->base + (uint64_t)reach - last->from;
}

bool clock_identity(struct clock *c)
{
	*c = (struct clock){malloc(sizeof *c->lines), 1, 0};
	if (!c->lines)
		return false;
	*c->lines = (struct clock_line){.rate = 1, .span = FAR};
	return true;
}

/* With one pair the line goes through it with the slope that the frequency gives. */
static bool build_from_one(struct clock *c, const struct clock_sample *pair, uint64_t frequency)
{
	struct clock_line *p;

	if (!clock_identity(c))
		return false;
	c->npairs = 1;
	p = c->lines;
	p->base = pair->ticks;
	p->base_ns = pair->monotonic;
	if (frequency >= 1000000 && frequency <= UINT64_C(1000000000000))
		clock_slope(p, frequency, 1000000000);
	p->from = p->base;
	p->span = 0;
	lines_limit(c);
	return true;
}

bool clock_build(struct clock *c, struct clock_sample *pairs, size_t npairs,
		 const struct clock_sample *trusted, uint64_t frequency)
{
	size_t n = npairs ? pairs_thin(pairs, npairs, trusted) : 0;

	if (n == 0)
		return clock_identity(c);
	if (n == 1)
		return build_from_one(c, &pairs[0], frequency);
	*c = (struct clock){malloc((n - 1) * sizeof *c->lines), n - 1, n};
	if (!c->lines)
		return false;
	for (size_t i = 0; i + 1 < n; i++) {
		struct clock_line *p = &c->lines[i];

		p->from = p->base = pairs[i].ticks;
		p->base_ns = pairs[i].monotonic;
		p->span = pairs[i + 1].ticks - pairs[i].ticks - 1;
		clock_slope(p, p->span + 1,
			    (uint64_t)(pairs[i + 1].monotonic - pairs[i].monotonic));
	}
	lines_limit(c);
	return true;
}

void clock_clear(struct clock *c)
{
	free(c->lines);
	*c = (struct clock){NULL, 0, 0};
}

const struct clock_line *clock_find(const struct clock *c, uint64_t ticks)
{
	size_t low = 0, high = c->nlines - 1;

	while (low < high) {
		size_t middle = (low + high + 1) / 2;

		if (c->lines[middle].from <= ticks)
			low = middle;
		else
			high = middle - 1;
	}
	return &c->lines[low];
}

int64_t clock_ns(const struct clock *c, uint64_t ticks)
{
	const struct clock_line *p = clock_find(c, ticks);

	if (ticks < p->from)
		ticks = p->from;
	else if (!clock_line_has(p, ticks))
		ticks = p->from + p->span;
	return clock_line_ns(p, ticks);
}

double clock_frequency(const struct clock *c)
{
	const struct clock_line *p = &c->lines[c->nlines - 1];

	return 1e9 * __builtin_ldexp(1, (int)p->shift) / (double)p->rate;
}
