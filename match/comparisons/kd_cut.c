#include "match/comparisons/kd_cut.h"
#include "match/comparisons/kd_block.h"
#include <string.h>

enum {
	FEW = 8,         /* questions that say nothing any more */
	WHOLE = 1 << 12, /* one border, which can be halved so often */
};

struct extent {
	int32_t least[BOXORDER_COLUMNS], most[BOXORDER_COLUMNS];
};

static void extend(struct extent *e, const int32_t *row, unsigned ncolumns)
{
	for (unsigned k = 0; k < ncolumns; k++) {
		e->least[k] = row[k] < e->least[k] ? row[k] : e->least[k];
		e->most[k] = row[k] > e->most[k] ? row[k] : e->most[k];
	}
}

/* Four columns at a time; what is read behind the last one does not matter, but must be there. */
static void extend_lanes(struct extent *e, const int32_t *rows, size_t n, unsigned width)
{
	lanes least = all_of(INT32_MAX), most = all_of(INT32_MIN);

	for (; n > 0; n--, rows += width) {
		lanes row = *(const lanes *)rows, less = row < least, more = row > most;

		least = (row & less) | (least & ~less);
		most = (row & more) | (most & ~more);
	}
	*(lanes *)e->least = least;
	*(lanes *)e->most = most;
}

static void find_extent(const struct boxcut *c, const int32_t *rows, size_t n, struct extent *e)
{
	size_t width = c->ncolumns + 1, done = 0;

	memcpy(e->least, rows, c->ncolumns * sizeof *rows);
	memcpy(e->most, rows, c->ncolumns * sizeof *rows);
	if (width <= 4 && n > 4) {
		done = n - 4;
		extend_lanes(e, rows, done, (unsigned)width);
	}
	for (; done < n; done++)
		extend(e, rows + done * width, c->ncolumns);
}

/* At no fixed distance: questions of one kind can come at one, too. */
static const int32_t *words_of(const struct boxcut *c, unsigned sample)
{
	size_t question = sample;

	if (c->asked.n > BOXCUT_SAMPLE)
		question = (size_t)(sample * UINT64_C(0x9e3779b97f4a7c15) >> 32) % c->asked.n;
	return c->asked.words + question * c->ncolumns;
}

/* Bits of the columns whose border goes through the box; none, too, if it has nothing for them. */
static uint32_t borders_of(const struct boxcut *c, const int32_t *wanted, const struct extent *e)
{
	uint32_t differs = c->differs | c->differs << 1, borders = 0;

	for (unsigned k = 0; k < c->ncolumns; k++) {
		if (wanted[k] > e->most[k] && !(differs >> k & 1))
			return 0;
		borders |= (uint32_t)(wanted[k] > e->least[k] && wanted[k] <= e->most[k]) << k;
	}
	return borders;
}

/* Keeps those that have a border in the box, and counts. */
static void look(const struct boxcut *c, struct boxcut_reach *r, const struct extent *e,
		 uint16_t *kept)
{
	uint32_t count[BOXORDER_COLUMNS] = {0};
	unsigned n = 0;

	for (unsigned i = 0; i < r->n; i++) {
		uint32_t borders = borders_of(c, words_of(c, r->sample[i]), e);

		kept[n] = r->sample[i];
		n += borders != 0;
		for (; borders; borders &= borders - 1)
			count[__builtin_ctz(borders)] += WHOLE;
	}
	r->sample = kept;
	r->n = n;
	for (unsigned k = 0; n > FEW && k < c->ncolumns; k++)
		r->borders[k] = count[k] + r->thought[k];
}

void boxcut_begin(const struct boxcut *c, struct boxcut_room *room, struct boxcut_reach *all)
{
	size_t n = c->asked.n < BOXCUT_SAMPLE ? c->asked.n : BOXCUT_SAMPLE;

	*all = (struct boxcut_reach){.sample = room->sample[0], .n = (unsigned)n};
	for (size_t i = 0; i < n; i++)
		room->sample[0][i] = (uint16_t)i;
	for (unsigned k = 0; k < c->ncolumns; k++)
		all->borders[k] = all->thought[k] = WHOLE;
}

/* Of those with the most borders the next one in turn; the second of an inequality's two columns
 * says nothing new. */
static unsigned column_of(const struct boxcut *c, const struct boxcut_reach *r)
{
	unsigned best = c->ncolumns;

	for (unsigned i = 1; i <= c->ncolumns; i++) {
		unsigned k = (r->last + i) % c->ncolumns;

		if (!(c->differs << 1 >> k & 1) &&
		    (best == c->ncolumns || r->borders[k] > r->borders[best]))
			best = k;
	}
	return best;
}

unsigned boxcut_choose(const struct boxcut *c, struct boxcut_room *room, struct boxcut_reach *r,
		       const int32_t *rows, size_t n)
{
	struct extent e;

	if (r->n > FEW && r->depth + 1 < BOXCUT_DEPTH) {
		find_extent(c, rows, n, &e);
		look(c, r, &e, room->sample[++r->depth]);
	}
	r->last = column_of(c, r);
	r->borders[r->last] /= 2;
	r->thought[r->last] /= 2;
	return r->last;
}
