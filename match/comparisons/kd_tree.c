#include "match/comparisons/kd_tree.h"
#include "base/spill.h"

enum { LINE = 64, INACTIVE = KD_MOST };

static int32_t *node_at(const struct kd_tree *t, unsigned level, size_t node)
{
	return t->level[level] + (node << KD_SHIFT) * (t->ncolumns + 1);
}

static const int32_t *node_positions(const struct kd_tree *t, const int32_t *node)
{
	return node + t->ncolumns * KD_FAN;
}

static void node_prefetch(const struct kd_tree *t, unsigned level, size_t node)
{
	const int32_t *at = node_at(t, level, node);

	for (unsigned c = 0; c <= t->ncolumns; c++)
		__builtin_prefetch(at + c * KD_FAN);
}

/* The first column's word of entry i of a level; that of column c stands c * KD_FAN further. */
static int32_t *entry_at(const struct kd_tree *t, unsigned level, size_t i)
{
	return node_at(t, level, i >> KD_SHIFT) + i % KD_FAN;
}

static int32_t *entry_position(const struct kd_tree *t, int32_t *entry)
{
	return entry + t->ncolumns * KD_FAN;
}

/* ---- building ---- */

/* Makes room for the levels, each aligned to a cache line; entries after the last one of a level
 * are inactive. */
static void kd_levels_make(struct kd_tree *t)
{
	size_t all = 0, count = t->n, entries[KD_LEVELS];

	do {
		entries[t->nlevels] = (count + KD_FAN - 1) & ~(size_t)(KD_FAN - 1);
		all += entries[t->nlevels];
		t->count[t->nlevels++] = count;
		count = (count + KD_FAN - 1) >> KD_SHIFT;
	} while (count > 1);
	all *= t->ncolumns + 1;
	t->memory = spill_new(all * sizeof(int32_t) + LINE, 1);
	t->level[0] = (int32_t *)(((uintptr_t)t->memory + LINE - 1) & ~(uintptr_t)(LINE - 1));
	for (unsigned l = 1; l < t->nlevels; l++)
		t->level[l] = t->level[l - 1] + entries[l - 1] * (t->ncolumns + 1);
	for (unsigned l = 0; l < t->nlevels; l++)
		for (size_t i = t->count[l]; i < entries[l]; i++)
			for (unsigned c = 0; c <= t->ncolumns; c++)
				entry_at(t, l, i)[c * KD_FAN] =
				    c < t->ncolumns ? KD_LEAST : INACTIVE;
}

static int32_t greatest_active(const int32_t *words, const int32_t *positions)
{
	lanes most = lanes_of(KD_LEAST);
	int32_t result;

	for (unsigned i = 0; i < KD_FAN; i += 4) {
		lanes here = *(const lanes *)(words + i);
		lanes active = *(const lanes *)(positions + i) != lanes_of(INACTIVE);
		lanes more = (here > most) & active;

		most = (here & more) | (most & ~more);
	}
	result = most[0];
	for (unsigned i = 1; i < 4; i++)
		result = most[i] > result ? most[i] : result;
	return result;
}

static int32_t least_position(const int32_t *positions)
{
	lanes least = lanes_of(INACTIVE);
	int32_t result;

	for (unsigned i = 0; i < KD_FAN; i += 4) {
		lanes here = *(const lanes *)(positions + i), less = here < least;

		least = (here & less) | (least & ~less);
	}
	result = least[0];
	for (unsigned i = 1; i < 4; i++)
		result = least[i] < result ? least[i] : result;
	return result;
}

/* What the entry above a node has: the greatest word of a column, or the least position. */
static int32_t node_sum(const struct kd_tree *t, const int32_t *node, unsigned column)
{
	const int32_t *positions = node_positions(t, node);

	return column == t->ncolumns ? least_position(positions)
				     : greatest_active(node + column * KD_FAN, positions);
}

void kd_tree_init(struct kd_tree *t, int32_t *rows, size_t n, unsigned ncolumns, uint32_t differs,
		  bool active, struct kd_queries queries)
{
	*t = (struct kd_tree){.n = n, .ncolumns = ncolumns, .differs = differs};
	kd_levels_make(t);
	t->row = spill_new(n, sizeof *t->row);
	kd_order(rows, n, ncolumns, differs, queries, &t->cuts);
	for (size_t i = 0; i < n; i++, rows += ncolumns + 1) {
		int32_t *entry = entry_at(t, 0, i), position = rows[ncolumns];

		t->row[position] = (uint32_t)i;
		for (unsigned c = 0; c < ncolumns; c++)
			entry[c * KD_FAN] = rows[c];
		*entry_position(t, entry) = active ? position : INACTIVE;
	}
	for (unsigned l = 1; l < t->nlevels; l++)
		for (size_t i = 0; i < t->count[l]; i++)
			for (unsigned c = 0; c <= ncolumns; c++)
				entry_at(t, l, i)[c * KD_FAN] =
				    node_sum(t, node_at(t, l - 1, i), c);
}

void kd_tree_clear(struct kd_tree *t)
{
	spill_free(t->memory);
	spill_free(t->row);
}

/* ---- changing ---- */

/* Only what was the greatest, or the least, of its node makes a difference above. */
void kd_tree_deactivate(struct kd_tree *t, uint32_t position)
{
	size_t i = t->row[position];
	int32_t *entry = entry_at(t, 0, i), old[KD_COLUMNS + 1];
	unsigned changed = (2u << t->ncolumns) - 1;

	for (unsigned c = 0; c <= t->ncolumns; c++)
		old[c] = entry[c * KD_FAN];
	*entry_position(t, entry) = INACTIVE;
	for (unsigned l = 1; l < t->nlevels && changed; l++) {
		i >>= KD_SHIFT;
		entry = entry_at(t, l, i);
		for (unsigned left = changed; left; left &= left - 1) {
			unsigned c = (unsigned)__builtin_ctz(left);
			int32_t *sum = &entry[c * KD_FAN];

			if (*sum != old[c] ||
			    (*sum = node_sum(t, node_at(t, l - 1, i), c)) == old[c])
				changed &= ~(1u << c);
		}
	}
}

void kd_tree_activate(struct kd_tree *t, uint32_t position)
{
	size_t i = t->row[position];
	const int32_t *words = entry_at(t, 0, i);
	bool changed = true;

	*entry_position(t, entry_at(t, 0, i)) = (int32_t)position;
	for (unsigned l = 1; l < t->nlevels && changed; l++) {
		int32_t *entry = entry_at(t, l, i >>= KD_SHIFT), *least = entry_position(t, entry);

		changed = (int32_t)position < *least;
		*least = changed ? (int32_t)position : *least;
		for (unsigned c = 0; c < t->ncolumns * KD_FAN; c += KD_FAN)
			if (words[c] > entry[c]) {
				entry[c] = words[c];
				changed = true;
			}
	}
}

void kd_tree_prefetch(const struct kd_tree *t, uint32_t position)
{
	node_prefetch(t, 0, t->row[position] >> KD_SHIFT);
	if (t->nlevels > 1)
		node_prefetch(t, 1, t->row[position] >> 2 * KD_SHIFT);
}

/* ---- searching ---- */

/* Which of four entries have a position below the limit, and the wanted words. */
static lanes entries_meet(const struct kd_tree *t, const int32_t *words, const int32_t *positions,
			  const struct kd_search *s)
{
	lanes met = *(const lanes *)positions < lanes_of(s->limit);

	for (unsigned c = 0; c < t->ncolumns; c++, words += KD_FAN)
		if (t->differs >> c & 1) {
			lanes differ = *(const lanes *)words != lanes_of(s->wanted[c]);

			c++;
			words += KD_FAN;
			met &= differ | (*(const lanes *)words != lanes_of(s->wanted[c]));
		} else {
			met &= *(const lanes *)words >= lanes_of(s->wanted[c]);
		}
	return met;
}

/* The same of the sixteen entries of a node, as bits. */
static unsigned node_meets(const struct kd_tree *t, const int32_t *node, const struct kd_search *s)
{
	const int32_t *positions = node_positions(t, node);
	union {
		lanes lanes;
		uint64_t words[2];
	} all = {.words = {0, 0}};
	lanes bit = {1, 2, 4, 8};
	uint64_t bits;

	for (unsigned i = 0; i < KD_FAN; i += 4, bit <<= 4)
		all.lanes |= entries_meet(t, node + i, positions + i, s) & bit;
	bits = all.words[0] | all.words[1];
	return (unsigned)(bits | bits >> 32);
}

static void node_open(const struct kd_tree *t, struct kd_search *s, size_t node)
{
	node_prefetch(t, t->nlevels - 1 - s->depth, node);
	s->open[s->depth++].node = (uint32_t)node;
}

/* Returns which of the entries has the least position. */
static unsigned nearest_entry(const int32_t *positions, unsigned entries)
{
	unsigned first = (unsigned)__builtin_ctz(entries);

	for (entries &= entries - 1; entries; entries &= entries - 1) {
		unsigned i = (unsigned)__builtin_ctz(entries);

		first = positions[i] < positions[first] ? i : first;
	}
	return first;
}

/* Tests the rows that meet the comparisons; lowers the limit to the least position that passes. */
static void test_rows(const int32_t *positions, unsigned entries, struct kd_search *s)
{
	for (; entries; entries &= entries - 1) {
		int32_t position = positions[__builtin_ctz(entries)];

		if (position >= s->from && position < s->limit &&
		    s->test(s->context, s->query, (uint32_t)position))
			s->limit = position;
	}
}

/* Reads the node that was opened last, and opens the next one; returns false if there is none. */
static bool kd_search_step(const struct kd_tree *t, struct kd_search *s)
{
	unsigned level = t->nlevels - s->depth;
	const int32_t *node = node_at(t, level, s->open[s->depth - 1].node);
	unsigned promising = node_meets(t, node, s);

	s->open[s->depth - 1].promising = (uint16_t)promising;
	if (level == 0) {
		test_rows(node_positions(t, node), promising, s);
		s->depth--;
	}
	for (; s->depth > 0; s->depth--) {
		unsigned entry;
		uint16_t *left = &s->open[s->depth - 1].promising;
		const int32_t *positions;

		if (!*left)
			continue;
		positions = node_positions(
		    t, node_at(t, t->nlevels - s->depth, s->open[s->depth - 1].node));
		entry = nearest_entry(positions, *left);
		if (positions[entry] < s->limit) {
			*left &= (uint16_t) ~(1u << entry);
			node_open(t, s, (s->open[s->depth - 1].node << KD_SHIFT) + entry);
			return true;
		}
	}
	return false;
}

uint64_t kd_tree_find(const struct kd_tree *t, struct kd_search *searches, size_t n)
{
	uint32_t active[n];
	size_t nactive = n;
	uint64_t visited = 0;

	for (size_t i = 0; i < n; i++) {
		active[i] = (uint32_t)i;
		searches[i].depth = 0;
		node_open(t, &searches[i], 0);
	}
	while (nactive > 0) {
		size_t left = 0;

		visited += nactive;
		for (size_t i = 0; i < nactive; i++)
			if (kd_search_step(t, &searches[active[i]]))
				active[left++] = active[i];
		nactive = left;
	}
	return visited;
}
