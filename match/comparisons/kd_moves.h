/* Candidates that are put to sleep or woken, many together: then in the order in which they stand
 * in the tree, so that the processor goes through it from end to end. */
#ifndef GLIMPSE_MATCH_COMPARISONS_KD_MOVES_H
#define GLIMPSE_MATCH_COMPARISONS_KD_MOVES_H

#include "match/comparisons/kd_tree.h"

enum { BOXMOVES_MOST = 1 << 15 };

struct boxmoves {
	struct boxtree *tree;
	void (*move)(struct boxtree *t, uint32_t place);
	uint32_t *places, *sorted;
	size_t n;
};

/* move: boxtree_sleep, or boxtree_wake. */
void boxmoves_init(struct boxmoves *m, struct boxtree *t,
		   void (*move)(struct boxtree *t, uint32_t place));
void boxmoves_drop(struct boxmoves *m);

/* Notes one; it is moved when there are many, or by boxmoves_end(). */
void boxmoves_add(struct boxmoves *m, uint32_t place);
void boxmoves_end(struct boxmoves *m);

#endif
