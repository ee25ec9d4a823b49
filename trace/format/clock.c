#include "trace/format/clock.h"
#include "base/search.h"
#include <stdlib.h>
#include <string.h>

#define NEAR 1000000           /* 1 ms: samples nearer to each other say little about the rate */
#define FAR (INT64_C(1) << 61) /* ns */
#define SECOND 1e9
/* How well the frequency of the process file is known, with a table and without. */
#define MEASURED_ROUGHLY 0.1
#define GUESSED 0.5

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

/* Returns the ticks that 2^61 ns take on a line, at most as many. */
static uint64_t line_reach(const struct clock_line *p)
{
	unsigned __int128 reach = (unsigned __int128)FAR << p->shift;

	if (p->rate > 0)
		reach /= (uint64_t)p->rate;
	return reach > (uint64_t)FAR ? (uint64_t)FAR : (uint64_t)reach;
}

/* Extends the first and the last line to 2^61 ns. */
static void lines_extend(struct clock *c)
{
	struct clock_line *first = &c->lines[0], *last = &c->lines[c->nlines - 1];
	uint64_t end = first->from + first->span, reach = line_reach(first);

	first->from = first->base > reach ? first->base - reach : 0;
	first->span = end - first->from;
	last->span = last->base + line_reach(last) - last->from;
}

bool clock_identity(struct clock *c)
{
	*c = (struct clock){.lines = malloc(sizeof *c->lines), .nlines = 1};
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

/* ---- building ---- */

/* Adds the line from a sample on, through a point so many ticks and nanoseconds later. */
static struct clock_line *line_add(struct clock *c, const struct clock_sample *s, uint64_t ticks,
				   uint64_t ns)
{
	struct clock_line *p = &c->lines[c->nlines++];

	*p = (struct clock_line){.from = s->ticks, .base = s->ticks, .base_ns = s->monotonic};
	p->span = ticks - 1;
	line_slope(p, ticks, ns);
	return p;
}

/* Adds the line from a sample on, at a rate, or a little slower rather than faster. */
static struct clock_line *line_add_rate(struct clock *c, const struct clock_sample *s, double rate)
{
	return line_add(c, s, (uint64_t)(rate * SECOND) + 1, (uint64_t)SECOND);
}

/* Adds the lines of a piece in which the counter leapt, or fell behind. */
static void lines_add_break(struct clock *c, const struct clock_sample *s, double rate)
{
	uint64_t ticks = s[1].ticks - s[0].ticks, ns = (uint64_t)(s[1].monotonic - s[0].monotonic);
	double reach = rate * (double)ns;
	struct clock_line *still;

	if (reach >= (double)ticks) {
		line_add_rate(c, s, rate)->span = ticks - 1;
		return;
	}
	if (reach >= 1)
		line_add(c, s, (uint64_t)reach, ns);
	still = &c->lines[c->nlines++];
	*still = (struct clock_line){.from = s->ticks + (uint64_t)reach, .base_ns = s[1].monotonic};
	still->base = still->from;
	still->span = s[1].ticks - 1 - still->from;
}

/* Draws lines through n ascending samples; breaks: they are drawn as such, not straight. */
static void lines_draw(struct clock *c, const struct clock_sample *s, size_t n, bool breaks)
{
	const struct clock_break *b = c->breaks, *end = b + (breaks ? c->nbreaks : 0);

	if (b < end && b->piece == 0 && s->ticks)
		/* It ends before the sample. */
		line_add_rate(c, s, b->rate)->span = UINT64_MAX;
	for (size_t i = 0; i + 1 < n; i++)
		if (b < end && b->piece == i)
			lines_add_break(c, &s[i], b++->rate);
		else
			line_add(c, &s[i], s[i + 1].ticks - s[i].ticks,
				 (uint64_t)(s[i + 1].monotonic - s[i].monotonic));
	if (b > c->breaks && breaks && b[-1].piece + 2 == n)
		line_add_rate(c, &s[n - 1], b[-1].rate)->span = 0;
	lines_extend(c);
}

/*
 * Builds a clock from ascending samples. Those of a table were taken where the counter was seen to
 * leap, and its rate was measured when the run began; of others little is known.
 */
static bool build_from(struct clock *c, const struct clock_sample *s, size_t n, bool table,
		       uint64_t frequency)
{
	*c = (struct clock){.nsamples = n};
	c->lines = malloc(2 * (n + 1) * sizeof *c->lines);
	c->breaks = malloc(n * sizeof *c->breaks);
	if (!c->lines || !c->breaks) {
		clock_clear(c);
		return false;
	}
	c->nbreaks = breaks_find(s, n, frequency, table ? MEASURED_ROUGHLY : GUESSED, c->breaks);
	lines_draw(c, s, n, table);
	return true;
}

/* Copies the possible samples of the process, in their order, to list; returns how many. */
static size_t trusted_select(const struct clock_sample *trusted, size_t n,
			     struct clock_sample *list)
{
	const struct clock_sample *first = &trusted[0], *newest = &trusted[1];
	size_t found = 0, kept = 0;

	for (size_t i = 0; i < n; i++)
		if ((trusted[i].ticks || i == 0) && trusted[i].ticks >> 61 == 0 &&
		    trusted[i].monotonic >= 0 && trusted[i].monotonic >= first->monotonic &&
		    trusted[i].monotonic < FAR &&
		    (!newest->ticks || trusted[i].monotonic <= newest->monotonic))
			list[found++] = trusted[i];
	qsort(list, found, sizeof *list, sample_compare);
	for (size_t i = 0; i < found; i++)
		if (kept == 0 || (list[i].ticks > list[kept - 1].ticks &&
				  list[i].monotonic > list[kept - 1].monotonic))
			list[kept++] = list[i];
	return kept;
}

/* Builds a clock from the samples of the process alone; *done says whether there were enough. */
static bool build_from_table(struct clock *c, const struct clock_sample *trusted, size_t n,
			     uint64_t frequency, bool *done)
{
	struct clock_sample *list = malloc(n * sizeof *list);
	size_t kept = list ? trusted_select(trusted, n, list) : 0;
	bool good = list;

	*done = kept > 1;
	if (*done)
		good = build_from(c, list, kept, true, frequency);
	free(list);
	return good;
}

bool clock_build(struct clock *c, struct clock_sample *samples, size_t nsamples,
		 const struct clock_sample *trusted, size_t ntrusted, uint64_t frequency)
{
	bool done = false;
	size_t n;

	if (ntrusted > 2 && (!build_from_table(c, trusted, ntrusted, frequency, &done) || done))
		return done;
	n = nsamples ? samples_thin(samples, nsamples, ntrusted ? trusted : NULL) : 0;
	if (n == 0)
		return clock_identity(c);
	if (n == 1)
		return build_from_one(c, &samples[0], frequency);
	return build_from(c, samples, n, false, frequency);
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
	struct clock joined = {
	    .lines = malloc((before->nlines + c->nlines + 1) * sizeof *joined.lines),
	    .nsamples = c->nsamples,
	    .breaks = c->breaks,
	    .nbreaks = c->nbreaks,
	};

	if (!joined.lines)
		return false;
	for (size_t i = 0; i < before->nlines && before->lines[i].from <= newest; i++)
		joined.lines[joined.nlines++] = line_clip(&before->lines[i], 0, newest);
	joined.lines[joined.nlines++] = line_join(c, before, newest, end);
	for (size_t i = 0; i < c->nlines; i++)
		if (c->lines[i].from + c->lines[i].span >= end)
			joined.lines[joined.nlines++] = line_clip(&c->lines[i], end, UINT64_MAX);
	free(c->lines);
	*c = joined;
	return true;
}

/* ---- asking ---- */

void clock_clear(struct clock *c)
{
	free(c->lines);
	free(c->breaks);
	*c = (struct clock){0};
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

/* Returns the first ticks that are estimated, by the rate of the line, not to be before ns. */
static uint64_t line_ticks(const struct clock_line *p, int64_t ns)
{
	__int128 ticks;

	if (ns <= clock_line_ns(p, p->from) || p->rate <= 0)
		return p->from;
	ticks = (__int128)(ns - p->base_ns) * ((__int128)1 << p->shift) / p->rate +
		(int64_t)(p->base - p->from);
	if (ticks < 0)
		return p->from;
	return ticks > (__int128)p->span ? p->from + p->span : p->from + (uint64_t)ticks;
}

uint64_t clock_ticks(const struct clock *c, int64_t ns)
{
	size_t found =
	    lower_bound(i, 1, c->nlines, clock_line_ns(&c->lines[i], c->lines[i].from) < ns);
	const struct clock_line *p = &c->lines[found - 1];
	uint64_t ticks = line_ticks(p, ns);

	while (ticks - p->from < p->span && clock_line_ns(p, ticks) < ns)
		ticks++;
	return ticks;
}

double clock_frequency(const struct clock *c)
{
	const struct clock_line *p = &c->lines[c->nlines - 1];

	return 1e9 * __builtin_ldexp(1, (int)p->shift) / (double)p->rate;
}
