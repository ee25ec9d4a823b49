/*
 * Ranks in rows, and the first row from some place on whose ranks are all at least the ones wanted:
 * a tree of the greatest ranks of each column, sixteen below one, so that a block of it is a line
 * of the processor's cache. With one column a search takes logarithmic time; with several a block
 * can promise what no row below it keeps. Each row also has a number of the user's, beside its
 * ranks.
 */
#ifndef GLIMPSE_TRACE_RANKTREE_H
#define GLIMPSE_TRACE_RANKTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANKTREE_FAN = 16, RANKTREE_LEVELS = 9 };

#define RANKTREE_NONE SIZE_MAX

struct ranktree {
	size_t n;
	unsigned ncolumns;
	unsigned nlevels;
	uint32_t *level[RANKTREE_LEVELS]; /* rows first */
	size_t count[RANKTREE_LEVELS];
	uint64_t visited;
};

/* All rows are zeros, which meet nothing. */
void ranktree_init(struct ranktree *t, size_t n, unsigned ncolumns);
void ranktree_set(struct ranktree *t, size_t row, uint32_t number, const uint32_t *ranks);
/* To be called when all rows are set. */
void ranktree_build(struct ranktree *t);
void ranktree_drop(struct ranktree *t);

/*
 * A search for the first row from some row on, and before some other, with at least the wanted
 * ranks, all of which are 1 or more. It is made in steps, so that several in several trees can wait
 * for memory together.
 */
struct ranktree_search {
	unsigned level;
	size_t from, to; /* entries of the level that are left; the rows' end */
};

static inline struct ranktree_search ranktree_begin(size_t from, size_t to)
{
	return (struct ranktree_search){.from = from, .to = to};
}

/* Looks at one block. The row, or RANKTREE_NONE: go on, if there is something left. */
size_t ranktree_step(struct ranktree *t, struct ranktree_search *s, const uint32_t *wanted);

/* The first row that is left; s->to when none is. */
static inline size_t ranktree_left(const struct ranktree_search *s)
{
	size_t row = s->from << 4 * s->level;

	return row < s->to ? row : s->to;
}

/* Makes a row zeros. */
void ranktree_clear(struct ranktree *t, size_t row);

/* A block of rows has sixteen ranks of the first column, then those of the next, then the numbers.
 */
static inline uint32_t *ranktree_rows(const struct ranktree *t, size_t row)
{
	return t->level[0] + row / RANKTREE_FAN * RANKTREE_FAN * (t->ncolumns + 1);
}

static inline uint32_t ranktree_number(const struct ranktree *t, size_t row)
{
	return ranktree_rows(t, row)[t->ncolumns * RANKTREE_FAN + row % RANKTREE_FAN];
}

/* Says that the next step will soon be taken, and the number of the row be asked for that it is at.
 */
void ranktree_expect(const struct ranktree *t, const struct ranktree_search *s);

#endif
