#include "match/comparisons/kd_order.h"
#include "base/array.h"
#include "base/parallel.h"
#include "match/comparisons/kd_block.h"
#include "match/comparisons/kd_cut.h"
#include <stdlib.h>
#include <string.h>

enum {
	SAMPLE = 63,
	SHARES = 16,	 /* into so many parts rows are cut for all processors */
	SHARED = 1 << 16 /* if they are so many */
};

struct ordering {
	int32_t *rows;
	unsigned width;
	struct boxcells *cells;
	struct boxcut cut;
};

/* Rows that belong to one block of a level. */
struct range {
	size_t begin, end;
	size_t unit; /* rows of a block on the level below */
	size_t node; /* its number among the cells */
	struct boxcut_reach reach;
};

/* ---- selection ---- */

static inline void swap_rows(int32_t *a, int32_t *b, unsigned width)
{
	for (unsigned i = 0; i < width; i++) {
		int32_t word = a[i];

		a[i] = b[i];
		b[i] = word;
	}
}

/* Puts the rows whose words are below the border, or also at it, before the others. Returns where
 * those begin. What the words are cannot be foreseen, so nothing branches on them. */
static inline size_t part(int32_t *rows, size_t begin, size_t end, unsigned width, unsigned column,
			  int32_t border, bool at_it)
{
	int32_t *to = rows + begin * width;
	size_t to_row = begin;

	for (size_t i = begin; i < end; i++) {
		int32_t *row = rows + i * width, word = row[column];
		bool before = at_it ? word <= border : word < border;

		swap_rows(row, to, width);
		to += before ? width : 0;
		to_row += before;
	}
	return to_row;
}

static size_t part_rows(const struct ordering *o, size_t begin, size_t end, unsigned column,
			int32_t border, bool at_it)
{
	switch (o->width) {
	case 3:
		return part(o->rows, begin, end, 3, column, border, at_it);
	case 4:
		return part(o->rows, begin, end, 4, column, border, at_it);
	default:
		return part(o->rows, begin, end, o->width, column, border, at_it);
	}
}

/* So many rows are looked at before a border is chosen among n. */
static size_t sample_of(size_t n)
{
	return n < 1 << 6 ? 3 : n < 1 << 9 ? 7 : n < 1 << 14 ? 15 : SAMPLE;
}

/* The word that about so many of the rows are before as are wanted, by what a few of them say. */
static int32_t guess(const struct ordering *o, size_t begin, size_t end, size_t middle,
		     unsigned column)
{
	int32_t words[SAMPLE];
	size_t n = end - begin, count = sample_of(n);
	uint64_t random = n;

	for (size_t k = 0; k < count; k++) {
		size_t row = begin + (size_t)((random = random * 0x9e3779b97f4a7c15 + 1) >> 33) % n;
		int32_t word = o->rows[row * o->width + column];
		size_t at = k;

		for (; at > 0 && words[at - 1] > word; at--)
			words[at] = words[at - 1];
		words[at] = word;
	}
	return words[(middle - begin) * count / n];
}

/* Parts the rows so that no word before the middle is greater than one behind it, and none behind
 * it less than the border, which is returned. */
static int32_t select_rows(const struct ordering *o, size_t begin, size_t end, size_t middle,
			   unsigned column)
{
	int32_t border = 0;

	while (begin < middle && middle < end) {
		size_t at;

		border = guess(o, begin, end, middle, column);
		at = part_rows(o, begin, end, column, border, false);

		if (at >= middle) {
			end = at;
			continue;
		}
		begin = part_rows(o, at, end, column, border, true);
		if (begin >= middle)
			break;
	}
	return border;
}

/* ---- cutting ---- */

/* Where a range is cut, near its middle; its end when it is one block. */
static size_t middle_of(const struct range *r)
{
	size_t units = (r->end - r->begin + r->unit - 1) / r->unit;

	return units < 2 ? r->end : r->begin + units / 2 * r->unit;
}

/* Cuts a range; the part behind the cut is left in it, the one before is returned. */
static struct range range_cut(const struct ordering *o, struct boxcut_room *room, struct range *r)
{
	struct range before;
	size_t middle;
	unsigned column;
	int32_t border;

	while ((middle = middle_of(r)) == r->end)
		r->unit >>= SHIFT;
	column = boxcut_choose(&o->cut, room, &r->reach, o->rows + r->begin * o->width,
			       r->end - r->begin);
	before = *r;
	border = select_rows(o, r->begin, r->end, middle, column);
	if (r->node < BOXORDER_CELLS) {
		o->cells->cuts[r->node] = border;
		o->cells->columns[r->node] = (uint8_t)column;
	}
	before.node = 2 * r->node;
	r->node = before.node + 1;
	r->begin = before.end = middle;
	return before;
}

static void range_order(const struct ordering *o, struct boxcut_room *room, struct range r)
{
	while (r.end - r.begin > 1 << SHIFT)
		range_order(o, room, range_cut(o, room, &r));
}

/* Ranges that are cut in two at the same time; the parts of one stand where it was, and behind. */
struct sharing {
	const struct ordering *ordering;
	struct boxcut_room *rooms; /* one for each */
	struct range ranges[SHARES];
	size_t stride; /* from one to the next */
};

static void share_cut(void *context, size_t i, unsigned worker)
{
	struct sharing *s = context;
	size_t at = i * s->stride;
	struct range behind = s->ranges[at];

	(void)worker;
	s->ranges[at] = range_cut(s->ordering, &s->rooms[at], &behind);
	s->ranges[at + s->stride / 2] = behind;
}

static void share_order(void *context, size_t i, unsigned worker)
{
	struct sharing *s = context;

	(void)worker;
	range_order(s->ordering, &s->rooms[i], s->ranges[i]);
}

static void range_order_shared(const struct ordering *o, struct boxcut_room *rooms,
			       const struct range *all)
{
	struct sharing s = {.ordering = o, .rooms = rooms, .ranges = {*all}, .stride = SHARES};

	for (; s.stride > 1; s.stride /= 2)
		parallel_for(SHARES / s.stride, share_cut, &s);
	parallel_for(SHARES, share_order, &s);
}

void boxorder_rows(int32_t *rows, size_t n, unsigned ncolumns, uint32_t mirrors,
		   struct boxasked asked, struct boxcells *cells)
{
	struct ordering o = {.rows = rows, .width = ncolumns + 1, .cells = cells};
	struct range all = {.end = n, .unit = 1 << SHIFT, .node = 1};
	struct boxcut_room *rooms = array_new(n < SHARED ? 1 : SHARES, sizeof *rooms);

	memset(cells, 0, sizeof *cells);
	o.cut = (struct boxcut){.ncolumns = ncolumns, .differs = mirrors, .asked = asked};
	boxcut_begin(&o.cut, rooms, &all.reach);
	while (all.unit << SHIFT < n)
		all.unit <<= SHIFT;
	if (n < SHARED)
		range_order(&o, rooms, all);
	else
		range_order_shared(&o, rooms, &all);
	free(rooms);
}

uint32_t boxcells_find(const struct boxcells *cells, const int32_t *words)
{
	uint32_t node = 1;

	while (node < BOXORDER_CELLS)
		node = 2 * node + (words[cells->columns[node]] >= cells->cuts[node]);
	return node - BOXORDER_CELLS;
}
