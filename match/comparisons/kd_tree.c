#include "match/comparisons/kd_tree.h"
#include "base/spill.h"
#include "match/comparisons/kd_block.h"

enum { LINE = 64, ASLEEP = BOX_NOTHING };

static int32_t *entry_of(const struct boxtree *t, unsigned level, size_t i)
{
	return block_of(t, level, i >> SHIFT) + i % BOXTREE_FAN;
}

static int32_t *place_in(const struct boxtree *t, int32_t *entry)
{
	return entry + t->ncolumns * BOXTREE_FAN;
}

static void make_levels(struct boxtree *t)
{
	size_t all = 0, count = t->n, entries[BOXTREE_LEVELS];

	do {
		entries[t->nlevels] = (count + BOXTREE_FAN - 1) & ~(size_t)(BOXTREE_FAN - 1);
		all += entries[t->nlevels];
		t->count[t->nlevels++] = count;
		count = (count + BOXTREE_FAN - 1) >> SHIFT;
	} while (count > 1);
	all *= t->ncolumns + 1;
	t->memory = spill_new(all * sizeof(int32_t) + LINE, 1);
	t->level[0] = (int32_t *)(((uintptr_t)t->memory + LINE - 1) & ~(uintptr_t)(LINE - 1));
	for (unsigned l = 1; l < t->nlevels; l++)
		t->level[l] = t->level[l - 1] + entries[l - 1] * (t->ncolumns + 1);
	for (unsigned l = 0; l < t->nlevels; l++)
		for (size_t i = t->count[l]; i < entries[l]; i++)
			for (unsigned c = 0; c <= t->ncolumns; c++)
				entry_of(t, l, i)[c * BOXTREE_FAN] =
				    c < t->ncolumns ? BOX_LEAST : ASLEEP;
}

static int32_t greatest_of(const int32_t *words, const int32_t *places)
{
	lanes most = all_of(BOX_LEAST);
	int32_t result;

	for (unsigned i = 0; i < BOXTREE_FAN; i += 4) {
		lanes here = *(const lanes *)(words + i);
		lanes more = (here > most) & (*(const lanes *)(places + i) != all_of(ASLEEP));

		most = (here & more) | (most & ~more);
	}
	result = most[0];
	for (unsigned i = 1; i < 4; i++)
		result = most[i] > result ? most[i] : result;
	return result;
}

static int32_t least_of(const int32_t *places)
{
	lanes least = all_of(ASLEEP);
	int32_t result;

	for (unsigned i = 0; i < BOXTREE_FAN; i += 4) {
		lanes here = *(const lanes *)(places + i), less = here < least;

		least = (here & less) | (least & ~less);
	}
	result = least[0];
	for (unsigned i = 1; i < 4; i++)
		result = least[i] < result ? least[i] : result;
	return result;
}

/* A column of a block, or its places, in one number. */
static int32_t sum_of(const struct boxtree *t, const int32_t *block, unsigned column)
{
	const int32_t *places = places_of(t, block);

	return column == t->ncolumns ? least_of(places)
				     : greatest_of(block + column * BOXTREE_FAN, places);
}

static void sum_level(const struct boxtree *t, unsigned level)
{
	for (size_t i = 0; i < t->count[level]; i++)
		for (unsigned c = 0; c <= t->ncolumns; c++)
			entry_of(t, level, i)[c * BOXTREE_FAN] =
			    sum_of(t, block_of(t, level - 1, i), c);
}

void boxtree_init(struct boxtree *t, int32_t *rows, size_t n, unsigned ncolumns, uint32_t differs,
		  bool awake, struct boxasked asked)
{
	*t = (struct boxtree){.n = n, .ncolumns = ncolumns, .differs = differs};
	make_levels(t);
	t->rows = spill_new(n, sizeof *t->rows);
	boxorder_rows(rows, n, ncolumns, differs, asked, &t->cells);
	for (size_t i = 0; i < n; i++, rows += ncolumns + 1) {
		int32_t *entry = entry_of(t, 0, i), place = rows[ncolumns];

		t->rows[place] = (uint32_t)i;
		for (unsigned c = 0; c < ncolumns; c++)
			entry[c * BOXTREE_FAN] = rows[c];
		*place_in(t, entry) = awake ? place : ASLEEP;
	}
	for (unsigned l = 1; l < t->nlevels; l++)
		sum_level(t, l);
}

void boxtree_drop(struct boxtree *t)
{
	spill_free(t->memory);
	spill_free(t->rows);
}

/* Only what was the greatest, or the least, of its block makes a difference above. */
void boxtree_sleep(struct boxtree *t, uint32_t place)
{
	size_t i = t->rows[place];
	int32_t *entry = entry_of(t, 0, i), old[BOXTREE_COLUMNS + 1];
	unsigned changed = (2u << t->ncolumns) - 1;

	for (unsigned c = 0; c <= t->ncolumns; c++)
		old[c] = entry[c * BOXTREE_FAN];
	*place_in(t, entry) = ASLEEP;
	for (unsigned l = 1; l < t->nlevels && changed; l++) {
		i >>= SHIFT;
		entry = entry_of(t, l, i);
		for (unsigned left = changed; left; left &= left - 1) {
			unsigned c = (unsigned)__builtin_ctz(left);
			int32_t *sum = &entry[c * BOXTREE_FAN];

			if (*sum != old[c] ||
			    (*sum = sum_of(t, block_of(t, l - 1, i), c)) == old[c])
				changed &= ~(1u << c);
		}
	}
}

void boxtree_wake(struct boxtree *t, uint32_t place)
{
	size_t i = t->rows[place];
	const int32_t *words = entry_of(t, 0, i);
	bool changed = true;

	*place_in(t, entry_of(t, 0, i)) = (int32_t)place;
	for (unsigned l = 1; l < t->nlevels && changed; l++) {
		int32_t *entry = entry_of(t, l, i >>= SHIFT), *least = place_in(t, entry);

		changed = (int32_t)place < *least;
		*least = changed ? (int32_t)place : *least;
		for (unsigned c = 0; c < t->ncolumns * BOXTREE_FAN; c += BOXTREE_FAN)
			if (words[c] > entry[c]) {
				entry[c] = words[c];
				changed = true;
			}
	}
}

void boxtree_expect(const struct boxtree *t, size_t place)
{
	if (place >= t->n)
		return;
	expect_block(t, 0, t->rows[place] >> SHIFT);
	if (t->nlevels > 1)
		expect_block(t, 1, t->rows[place] >> 2 * SHIFT);
}
