#include "trace/format/clock.h"
#include "base/search.h"
#include <stdlib.h>
#include <string.h>

#define NEAR 1000000           /* 1 ms: samples nearer to each other say little about the rate */
#define FAR (INT64_C(1) << 61) /* ns */

bool clock_samples_add(struct clock_samples *s, const struct clock_sample *sample)
{
	if (s->count == s->room) {
		size_t room = s->room ? 2 * s->room : 64;
		struct clock_sample *list = realloc(s->list, room * sizeof *list);

		if (!list)
			return false;
		s->list = list;
		s->room = room;
	}
	s->list[s->count++] = *sample;
	return true;
}

static int sample_compare(const void *left, const void *right)
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
 * Systems adjust clocks by less than a thousandth: a sample further from the trusted line is wrong.
 */
static bool sample_agrees(const struct clock_sample *p, const struct clock_sample *trusted)
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

/* Sorts the samples and keeps those that are possible and at least NEAR apart. */
static size_t samples_thin(struct clock_sample *samples, size_t n,
			   const struct clock_sample *trusted)
{
	size_t kept = 0;

	qsort(samples, n, sizeof *samples, sample_compare);
	for (size_t i = 0; i < n; i++) {
		const struct clock_sample *s = &samples[i];
		const struct clock_sample *before = kept ? &samples[kept - 1] : NULL;

		if (s->monotonic < 0 || s->monotonic >= FAR || s->ticks >> 61)
			continue;
		if (trusted && !sample_agrees(s, trusted))
			continue;
		if (before &&
		    (s->monotonic - before->monotonic < NEAR || !rate_plausible(before, s)))
			continue;
		samples[kept++] = *s;
	}
	return kept;
}

/*
 * Sets the rate of a line on which so many ticks take so many nanoseconds: rounded up, so that the
 * line meets its end exactly.
 */
static void line_slope(struct clock_line *p, uint64_t ticks, uint64_t ns)
{
	unsigned __int128 rate;

	p->shift = 64;
	do {
		p->shift--;
		rate = (((unsigned __int128)ns << p->shift) + ticks - 1) / ticks;
	} while (rate >> 62);
	p->rate = (int64_t)rate;
}

/* Extends the first and the last line to 2^61 ns. */
static void lines_extend(struct clock *c)
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

/* Draws the line through the only sample with the slope that the frequency gives. */
static bool build_from_one(struct clock *c, const struct clock_sample *sample, uint64_t frequency)
{
	struct clock_line *p;

	if (!clock_identity(c))
		return false;
	c->nsamples = 1;
	p = c->lines;
	p->base = sample->ticks;
	p->base_ns = sample->monotonic;
	if (frequency >= 1000000 && frequency <= UINT64_C(1000000000000))
		line_slope(p, frequency, 1000000000);
	p->from = p->base;
	p->span = 0;
	lines_extend(c);
	return true;
}

bool clock_build(struct clock *c, struct clock_sample *samples, size_t nsamples,
		 const struct clock_sample *trusted, uint64_t frequency)
{
	size_t n = nsamples ? samples_thin(samples, nsamples, trusted) : 0;

	if (n == 0)
		return clock_identity(c);
	if (n == 1)
		return build_from_one(c, &samples[0], frequency);
	*c = (struct clock){malloc((n - 1) * sizeof *c->lines), n - 1, n};
	if (!c->lines)
		return false;
	for (size_t i = 0; i + 1 < n; i++) {
		struct clock_line *p = &c->lines[i];

		p->from = p->base = samples[i].ticks;
		p->base_ns = samples[i].monotonic;
		p->span = samples[i + 1].ticks - samples[i].ticks - 1;
		line_slope(p, p->span + 1,
			   (uint64_t)(samples[i + 1].monotonic - samples[i].monotonic));
	}
	lines_extend(c);
	return true;
}

/* ---- continuing ---- */

static struct clock_line line_clip(const struct clock_line *p, uint64_t from, uint64_t to)
{
	struct clock_line line = *p;
	uint64_t end = p->from + p->span;

	line.from = p->from > from ? p->from : from;
	line.span = (end < to ? end : to) - line.from;
	return line;
}

/* Returns the line from the newest moment that the clock before has timed to a later one. */
static struct clock_line line_join(const struct clock *c, const struct clock *before,
				   uint64_t newest, uint64_t end)
{
	struct clock_line p = {
	    .from = newest + 1,
	    .span = end - newest - 2,
	    .base = newest,
	    .base_ns = clock_ns(before, newest),
	};
	int64_t ns = clock_ns(c, end);

	line_slope(&p, end - newest, ns > p.base_ns ? (uint64_t)(ns - p.base_ns) : 1);
	return p;
}

bool clock_continue(struct clock *c, const struct clock *before, uint64_t newest)
{
	uint64_t end = newest + (uint64_t)(clock_frequency(c) / 10) + 2;
	struct clock joined = {malloc((before->nlines + c->nlines + 1) * sizeof *joined.lines),
			       0, c->nsamples};

	if (!joined.lines)
		return false;
	for (size_t i = 0; i < before->nlines && before->lines[i].from <= newest; i++)
		joined.lines[joined.nlines++] = line_clip(&before->lines[i], 0, newest);
	joined.lines[joined.nlines++] = line_join(c, before, newest, end);
	for (size_t i = 0; i < c->nlines; i++)
		if (c->lines[i].from + c->lines[i].span >= end)
			joined.lines[joined.nlines++] = line_clip(&c->lines[i], end, UINT64_MAX);
	clock_clear(c);
	*c = joined;
	return true;
}

/* ---- asking ---- */

void clock_clear(struct clock *c)
{
	free(c->lines);
	*c = (struct clock){NULL, 0, 0};
}

const struct clock_line *clock_find(const struct clock *c, uint64_t ticks)
{
	return &c->lines[lower_bound(i, 1, c->nlines, c->lines[i].from <= ticks) - 1];
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
