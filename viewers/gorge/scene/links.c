#include "viewers/gorge/scene/links.h"
#include <stdlib.h>
#include <string.h>

/* Columns are bundled up to this many (a power of two) before lanes are. */
enum { COLUMNS_FIRST = 4 };

/*
 * A hash table of bundles. When it has too many of them, neighbours are joined: first those that
 * start in the same two columns, then four, and so on. Unless nothing is bundled, lines of about
 * the same length are neighbours, wherever they end: else a line across the boundary of two large
 * cells would be a bundle of its own. What is left depends on the links alone, not on their order.
 */
struct links {
	struct scene *scene;
	size_t limit, n;
	size_t mask;             /* of the table's size, a power of two */
	unsigned columns, lanes; /* bundled: powers of two */
	struct link *table;      /* count == 0: free */
};

static void table_new(struct links *l)
{
	l->table = array_zero(l->mask + 1, sizeof *l->table);
	l->n = 0;
}

struct links *links_begin(struct scene *s, size_t limit)
{
	struct links *l = array_zero(1, sizeof *l);

	l->scene = s;
	l->limit = limit;
	for (l->mask = 1; l->mask < 2 * limit; l->mask *= 2)
		;
	l->mask = 2 * l->mask - 1;
	table_new(l);
	return l;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

/* Returns the column of a place. */
static int64_t links_column_of(double x)
{
	int64_t column = (int64_t)(x < -0x1p61 ? -0x1p61 : x > 0x1p61 ? 0x1p61 : x);

	return column - (x < (double)column);
}

/* Returns where a link starts, in bundles of columns. */
static int64_t start_cell(const struct links *l, const struct link *link)
{
	return links_column_of(link->start.x) >> l->columns;
}

/* Returns the column of its end, or the power of two that its length is. */
static int64_t end_cell(const struct links *l, const struct link *link)
{
	int64_t end = links_column_of(link->end.x);
	uint64_t length = (uint64_t)(end - links_column_of(link->start.x)) + 1;

	return l->columns == 0 ? end : 63 - __builtin_clzll(length | 1);
}

static bool same_bundle(const struct links *l, const struct link *a, const struct link *b)
{
	return a->key == b->key && a->passing == b->passing &&
	       a->start.lane >> l->lanes == b->start.lane >> l->lanes &&
	       a->end.lane >> l->lanes == b->end.lane >> l->lanes &&
	       start_cell(l, a) == start_cell(l, b) && end_cell(l, a) == end_cell(l, b);
}

static size_t links_slot_of(const struct links *l, const struct link *link)
{
	uint64_t hash = mix(link->key, (uint64_t)(link->start.lane >> l->lanes) << 32 |
					   link->end.lane >> l->lanes);

	hash = mix(hash, (uint64_t)start_cell(l, link));
	return mix(hash, (uint64_t)end_cell(l, link)) & l->mask;
}

static uint64_t links_bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

/*
 * Returns the lot of a link. Of a bundle the one with the least lot is drawn: means would all be in
 * the middle of their bundles and make stripes.
 */
static uint64_t lot_of(const struct link *link)
{
	return mix(mix(links_bits_of(link->start.x), links_bits_of(link->end.x)),
		   (uint64_t)link->start.lane << 32 | link->end.lane);
}

static void table_add(struct links *l, const struct link *link)
{
	size_t slot = links_slot_of(l, link);
	struct link *at;

	while (l->table[slot].count && !same_bundle(l, &l->table[slot], link))
		slot = (slot + 1) & l->mask;
	at = &l->table[slot];
	if (at->count == 0) {
		*at = *link;
		l->n++;
		return;
	}
	uint64_t count = at->count + link->count;
	if (lot_of(link) < lot_of(at))
		*at = *link;
	at->count = count;
}

/* Bundles more, in a new table. */
static void coarsen(struct links *l)
{
	struct link *old = l->table;

	if (l->columns < COLUMNS_FIRST || l->columns <= l->lanes + COLUMNS_FIRST)
		l->columns++;
	else
		l->lanes++;
	table_new(l);
	for (size_t i = 0; i <= l->mask; i++)
		if (old[i].count)
			table_add(l, &old[i]);
	free(old);
}

void links_add(struct links *l, uint32_t key, struct link_end start, struct link_end end,
	       uint64_t anchor, uint64_t count)
{
	bool passing = start.x < 0 && end.x > l->scene->columns;

	table_add(l, &(struct link){.key = key,
				    .start = start,
				    .end = end,
				    .passing = passing,
				    .count = count,
				    .anchor = anchor});
	while (l->n > l->limit)
		coarsen(l);
	l->scene->linked += count;
	l->scene->intervals[key].across = true;
}

static int compare_ends(const struct link_end *a, const struct link_end *b)
{
	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	return (a->x > b->x) - (a->x < b->x);
}

static int compare_links(const void *pa, const void *pb)
{
	const struct link *a = pa, *b = pb;
	int order;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->passing != b->passing)
		return a->passing ? -1 : 1;
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	order = compare_ends(&a->start, &b->start);
	return order ? order : compare_ends(&a->end, &b->end);
}

void links_end(struct links *l)
{
	struct scene *s = l->scene;

	for (size_t i = 0; i <= l->mask; i++)
		if (l->table[i].count)
			*vector_add(&s->links) = l->table[i];
	if (s->links.n)
		qsort(s->links.at, s->links.n, sizeof *s->links.at, compare_links);
	if (s->bundle < 1u << l->columns)
		s->bundle = 1u << l->columns;
	s->bundle_lanes = 1u << l->lanes;
	free(l->table);
	free(l);
}
