/*
 * The blocks of sixteen entries that the tree of boxes consists of: the first column's words, and so
 * on; then places.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_KD_BLOCK_H
#define GLIMPSE_MATCH_COMPARISONS_KD_BLOCK_H

#include "match/comparisons/kd_tree.h"

enum { SHIFT = 4 };

typedef int32_t lanes __attribute__((vector_size(16), aligned(4), may_alias));

static inline lanes all_of(int32_t word)
{
	return (lanes){word, word, word, word};
}

static inline int32_t *block_of(const struct boxtree *t, unsigned level, size_t block)
{
	return t->level[level] + (block << SHIFT) * (t->ncolumns + 1);
}

static inline const int32_t *places_of(const struct boxtree *t, const int32_t *block)
{
	return block + t->ncolumns * BOXTREE_FAN;
}

static inline void expect_block(const struct boxtree *t, unsigned level, size_t block)
{
	const int32_t *at = block_of(t, level, block);

	for (unsigned c = 0; c <= t->ncolumns; c++)
		__builtin_prefetch(at + c * BOXTREE_FAN);
}

#endif
