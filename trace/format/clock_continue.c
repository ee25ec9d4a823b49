#include "trace/format/clock.h"
#include <stdlib.h>

static struct clock_piece clipped(const struct clock_piece *p, uint64_t from, uint64_t to)
{
	struct clock_piece piece = *p;
	uint64_t end = p->from + p->span;

	piece.from = p->from > from ? p->from : from;
	piece.span = (end < to ? end : to) - piece.from;
	return piece;
}

/* The line from the newest moment, of which the time was told, to a later one. */
static struct clock_piece joint(const struct clock *c, const struct clock *before, uint64_t newest,
				uint64_t end)
{
	struct clock_piece p = {
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
	struct clock joined = {malloc((before->npieces + c->npieces + 1) * sizeof *joined.pieces),
			       0, c->npairs};

	if (!joined.pieces)
		return false;
	for (size_t i = 0; i < before->npieces && before->pieces[i].from <= newest; i++)
		joined.pieces[joined.npieces++] = clipped(&before->pieces[i], 0, newest);
	joined.pieces[joined.npieces++] = joint(c, before, newest, end);
	for (size_t i = 0; i < c->npieces; i++)
		if (c->pieces[i].from + c->pieces[i].span >= end)
			joined.pieces[joined.npieces++] = clipped(&c->pieces[i], end, UINT64_MAX);
	clock_clear(c);
	*c = joined;
	return true;
}
