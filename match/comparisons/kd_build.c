#include "match/comparisons/kd_build.h"
#include "base/array.h"
#include "base/parallel.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- choosing the column of a cut ---- */

enum {
	SAMPLE = 1 << 13, /* queries that go down with the boxes, */
	DEPTH = 24,       /* so far at most, */
	TOO_FEW = 8,      /* as long as more than these have a border in the box */
	WHOLE = 1 << 12   /* one border; a fixed-point number, as it is halved with each cut */
};

/* What is the same for all cuts. */
struct kd_cutting {
	int32_t *rows;
	unsigned ncolumns;
	uint32_t differs;
	struct kd_queries queries;
	struct kd_cuts *cuts;
};

/* The sampled queries that have a border in a box, for each box on the way down. */
struct samples_room {
	uint16_t sample[DEPTH][SAMPLE];
};

/* What is known of the queries in one box. */
struct borders {
	const uint16_t *sample;
	unsigned n, depth, last;      /* last: the column it was cut by before */
	uint32_t count[KD_COLUMNS];   /* borders that go through the box, by column */
	uint32_t assumed[KD_COLUMNS]; /* what the one more query adds to that */
};

struct extent {
	int32_t least[KD_COLUMNS], most[KD_COLUMNS];
};

static void extend(struct extent *e, const int32_t *row, unsigned ncolumns)
{
	for (unsigned c = 0; c < ncolumns; c++) {
		e->least[c] = row[c] < e->least[c] ? row[c] : e->least[c];
		e->most[c] = row[c] > e->most[c] ? row[c] : e->most[c];
	}
}

/* Extends by four columns at a time. What is read after the last column does not matter. */
static void extend_lanes(struct extent *e, const int32_t *rows, size_t n, unsigned width)
{
	lanes least = lanes_of(INT32_MAX), most = lanes_of(INT32_MIN);

	for (; n > 0; n--, rows += width) {
		lanes row = *(const lanes *)rows, less = row<least, more = row> most;

		least = (row & less) | (least & ~less);
		most = (row & more) | (most & ~more);
	}
	*(lanes *)e->least = least;
	*(lanes *)e->most = most;
}

static struct extent find_extent(const struct kd_cutting *c, const int32_t *rows, size_t n)
{
	size_t width = c->ncolumns + 1, done = 0;
	struct extent e;

	memcpy(e.least, rows, c->ncolumns * sizeof *rows);
	memcpy(e.most, rows, c->ncolumns * sizeof *rows);
	if (width <= 4 && n > 4) {
		done = n - 4; /* four words are read at the last of them, too */
		extend_lanes(&e, rows, done, (unsigned)width);
	}
	for (; done < n; done++)
		extend(&e, rows + done * width, c->ncolumns);
	return e;
}

/* The words of a sampled query. They are not taken at a fixed distance: kinds of queries can
 * alternate. */
static const int32_t *sample_words(const struct kd_cutting *c, unsigned sample)
{
	size_t query = sample;

	if (c->queries.n > SAMPLE)
		query = (size_t)(sample * UINT64_C(0x9e3779b97f4a7c15) >> 32) % c->queries.n;
	return c->queries.words + query * c->ncolumns;
}

/* Returns bits of the columns whose border goes through the box; none if nothing in it is
 * wanted. */
static uint32_t query_borders(const struct kd_cutting *c, const int32_t *wanted,
			      const struct extent *e)
{
	uint32_t differs = c->differs | c->differs << 1, borders = 0;

	for (unsigned k = 0; k < c->ncolumns; k++) {
		if (wanted[k] > e->most[k] && !(differs >> k & 1))
			return 0;
		borders |= (uint32_t)(wanted[k] > e->least[k] && wanted[k] <= e->most[k]) << k;
	}
	return borders;
}

/* Keeps the sampled queries that have a border in the box, and counts the borders. */
static void count_borders(const struct kd_cutting *c, struct borders *b, const struct extent *e,
			  uint16_t *kept)
{
	uint32_t count[KD_COLUMNS] = {0};
	unsigned n = 0;

	for (unsigned i = 0; i < b->n; i++) {
		uint32_t borders = query_borders(c, sample_words(c, b->sample[i]), e);

		kept[n] = b->sample[i];
		n += borders != 0;
		for (; borders; borders &= borders - 1)
			count[__builtin_ctz(borders)] += WHOLE;
	}
	b->sample = kept;
	b->n = n;
	for (unsigned k = 0; n > TOO_FEW && k < c->ncolumns; k++)
		b->count[k] = count[k] + b->assumed[k];
}

/* Chooses the column for a box of n rows, and turns what is known of the box into what is known of
 * either half. */
static unsigned choose_column(const struct kd_cutting *c, struct samples_room *room,
			      struct borders *b, const int32_t *rows, size_t n)
{
	unsigned best = c->ncolumns;

	if (b->n > TOO_FEW && b->depth + 1 < DEPTH) {
		struct extent e = find_extent(c, rows, n);

		count_borders(c, b, &e, room->sample[++b->depth]);
	}
	/* of those with the most borders the next one in turn */
	for (unsigned i = 1; i <= c->ncolumns; i++) {
		unsigned k = (b->last + i) % c->ncolumns;

		if (!(c->differs << 1 >> k & 1) &&
		    (best == c->ncolumns || b->count[k] > b->count[best]))
			best = k;
	}
	b->last = best;
	b->count[best] /= 2;
	b->assumed[best] /= 2;
	return best;
}

/* ---- selecting the median ---- */

enum { MOST_PROBES = 63 };

static inline void rows_swap(int32_t *a, int32_t *b, unsigned width)
{
	for (unsigned i = 0; i < width; i++) {
		int32_t word = a[i];

		a[i] = b[i];
		b[i] = word;
	}
}

/*
 * Puts the rows whose words are below the border, or also at it, before the others. Returns where
 * the others begin. Nothing branches on the words, which cannot be predicted.
 */
static inline size_t split_wide(int32_t *rows, size_t begin, size_t end, unsigned width,
				unsigned column, int32_t border, bool at_it)
{
	int32_t *to = rows + begin * width;
	size_t to_row = begin;

	for (size_t i = begin; i < end; i++) {
		int32_t *row = rows + i * width, word = row[column];
		bool before = at_it ? word <= border : word < border;

		rows_swap(row, to, width);
		to += before ? width : 0;
		to_row += before;
	}
	return to_row;
}

/* The same; the compiler unrolls the usual widths. */
static size_t rows_split(const struct kd_cutting *c, size_t begin, size_t end, unsigned column,
			 int32_t border, bool at_it)
{
	switch (c->ncolumns + 1) {
	case 3:
		return split_wide(c->rows, begin, end, 3, column, border, at_it);
	case 4:
		return split_wide(c->rows, begin, end, 4, column, border, at_it);
	default:
		return split_wide(c->rows, begin, end, c->ncolumns + 1, column, border, at_it);
	}
}

/* Guesses the word that stands in the middle of the sorted rows, from a few of them. */
static int32_t guess_border(const struct kd_cutting *c, size_t begin, size_t end, size_t middle,
			    unsigned column)
{
	int32_t words[MOST_PROBES];
	size_t n = end - begin;
	size_t count = n < 1 << 6 ? 3 : n < 1 << 9 ? 7 : n < 1 << 14 ? 15 : MOST_PROBES;
	uint64_t random = n;

	for (size_t k = 0; k < count; k++) {
		size_t row = begin + (size_t)((random = random * 0x9e3779b97f4a7c15 + 1) >> 33) % n;
		int32_t word = c->rows[row * (c->ncolumns + 1) + column];
		size_t at = k;

		for (; at > 0 && words[at - 1] > word; at--)
			words[at] = words[at - 1];
		words[at] = word;
	}
	return words[(middle - begin) * count / n];
}

/* Splits the rows at the middle (Floyd and Rivest). Returns a border: no word before the middle is
 * greater than it, none after the middle is less. */
static int32_t select_middle(const struct kd_cutting *c, size_t begin, size_t end, size_t middle,
			     unsigned column)
{
	int32_t border = 0;

	while (begin < middle && middle < end) {
		size_t at;

		border = guess_border(c, begin, end, middle, column);
		at = rows_split(c, begin, end, column, border, false);

		if (at >= middle) {
			end = at;
			continue;
		}
		begin = rows_split(c, at, end, column, border, true);
		if (begin >= middle)
			break;
	}
	return border;
}

/* ---- cutting ---- */

enum {
	SHARES = 16,     /* boxes that all processors cut on */
	SHARED = 1 << 16 /* of at least so many rows */
};

/* The rows of one box. */
struct box {
	size_t begin, end;
	size_t unit; /* rows of a node on the level below */
	size_t cut;  /* the number of its cut */
	struct borders borders;
};

/* Returns where a box is cut, near its middle; its end if it is one node of the lowest level. */
static size_t box_middle(const struct box *b)
{
	size_t units = (b->end - b->begin + b->unit - 1) / b->unit;

	return units < 2 ? b->end : b->begin + units / 2 * b->unit;
}

/* Cuts a box in two: the second half is left in it, the first is returned. */
static struct box box_cut(const struct kd_cutting *c, struct samples_room *room, struct box *b)
{
	struct box first;
	size_t middle;
	unsigned column;
	int32_t border;

	while ((middle = box_middle(b)) == b->end)
		b->unit >>= KD_SHIFT;
	column = choose_column(c, room, &b->borders, c->rows + b->begin * (c->ncolumns + 1),
			       b->end - b->begin);
	first = *b;
	border = select_middle(c, b->begin, b->end, middle, column);
	if (b->cut < KD_CELLS) {
		c->cuts->words[b->cut] = border;
		c->cuts->columns[b->cut] = (uint8_t)column;
	}
	first.cut = 2 * b->cut;
	b->cut = first.cut + 1;
	b->begin = first.end = middle;
	return first;
}

static void box_order(const struct kd_cutting *c, struct samples_room *room, struct box b)
{
	while (b.end - b.begin > KD_FAN)
		box_order(c, room, box_cut(c, room, &b));
}

/* Boxes that are cut at the same time; the halves of one stand where it was, and halfway to the
 * next. */
struct box_sharing {
	const struct kd_cutting *cutting;
	struct samples_room *rooms; /* one for each box */
	struct box boxes[SHARES];
	size_t stride;
};

static void share_cut(void *context, size_t i, unsigned worker)
{
	struct box_sharing *s = context;
	size_t at = i * s->stride;
	struct box second = s->boxes[at];

	(void)worker;
	/* of one row more than some power, the second half has that row alone */
	if (second.end - second.begin > KD_FAN)
		s->boxes[at] = box_cut(s->cutting, &s->rooms[at], &second);
	else
		second.begin = second.end;
	s->boxes[at + s->stride / 2] = second;
}

static void share_order(void *context, size_t i, unsigned worker)
{
	struct box_sharing *s = context;

	(void)worker;
	box_order(s->cutting, &s->rooms[i], s->boxes[i]);
}

void kd_order(int32_t *rows, size_t n, unsigned ncolumns, uint32_t mirrors,
	      struct kd_queries queries, struct kd_cuts *cuts)
{
	struct kd_cutting c = {rows, ncolumns, mirrors, queries, cuts};
	struct samples_room *rooms = array_new(n < SHARED ? 1 : SHARES, sizeof *rooms);
	struct box all = {.end = n, .unit = KD_FAN, .cut = 1};

	memset(cuts, 0, sizeof *cuts);
	while (all.unit << KD_SHIFT < n)
		all.unit <<= KD_SHIFT;
	all.borders.sample = rooms->sample[0];
	all.borders.n = (unsigned)(queries.n < SAMPLE ? queries.n : SAMPLE);
	for (unsigned i = 0; i < all.borders.n; i++)
		rooms->sample[0][i] = (uint16_t)i;
	for (unsigned k = 0; k < ncolumns; k++)
		all.borders.count[k] = all.borders.assumed[k] = WHOLE;
	if (n < SHARED) {
		box_order(&c, rooms, all);
	} else {
		struct box_sharing s = {&c, rooms, {all}, SHARES};

		for (; s.stride > 1; s.stride /= 2)
			parallel_for(SHARES / s.stride, share_cut, &s);
		parallel_for(SHARES, share_order, &s);
	}
	free(rooms);
}

uint32_t kd_cell(const struct kd_cuts *cuts, const int32_t *words)
{
	uint32_t cut = 1;

	while (cut < KD_CELLS)
		cut = 2 * cut + (words[cuts->columns[cut]] >= cuts->words[cut]);
	return cut - KD_CELLS;
}
