#include "trace/format/clock.h"
#include <stdlib.h>

static struct clock_line clipped(const struct clock_line *p, uint64_t from, uint64_t to)
{
	struct clock_line line = *p;
	uint64_t end = p->from + p->span;

	line.from = p->from > from ? p->from : from;
	line.span = (end < to ? end : to) - line.from;
	return line;
}

/* The line from the newest moment, of which the time was told, to a later one. */
static struct clock_line joint(const struct clock *c, const struct clock *before, uint64_t newest,
				uint64_t end)
{
	struct clock_line p = {
	    .from = newest + 1,
	    .span = end - newest - 2,
	    .base = newest,
	    .base_ns = clock_ns(before, newest),
	};
	int64_t ns = clock_ns(c, end);

	clock_slope(&p, end - newest, ns > p.base_ns ? (uint64_t)(ns - p.base_ns) : 1);
	return p;
}

bool clock_continue(struct clock *c, const struct clock *before, uint64_t newest)
{
	uint64_t end = newest + (uint64_t)(clock_frequency(c) / 10) + 2;
	struct clock joined = {malloc((before->nlines + c->nlines + 1) * sizeof *joined.lines),
			       0, c->npairs};

	if (!joined.lines)
		return false;
	for (size_t i = 0; i < before->nlines && before->lines[i].from <= newest; i++)
		joined.lines[joined.nlines++] = clipped(&before->lines[i], 0, newest);
	joined.lines[joined.nlines++] = joint(c, before, newest, end);
	for (size_t i = 0; i < c->nlines; i++)
		if (c->lines[i].from + c->lines[i].span >= end)
			joined.lines[joined.nlines++] = clipped(&c->lines[i], end, UINT64_MAX);
	clock_clear(c);
	*c = joined;
	return true;
}
