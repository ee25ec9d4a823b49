/*
 * Questions to a tree of boxes that are asked at once. They are sorted by their words, so that
 * those that look at the same blocks follow each other, and parted among processors.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_KD_BATCH_H
#define GLIMPSE_MATCH_COMPARISONS_KD_BATCH_H

#include "match/comparisons/kd_tree.h"
#include "match/comparisons/queries.h"

enum { BOXBATCH_MOST = 1 << 15 };

/* How many a processor fetches at a time; tests make it small. */
extern size_t boxbatch_piece;

struct asker;

struct boxbatch {
	const struct questions *questions;
	const struct boxtree *tree;
	const int32_t *wanted; /* the words of each question */
	struct asker *askers;  /* one for each processor */
	unsigned naskers;
	uint32_t *order; /* the questions, from the first of the batch on, sorted */
	uint32_t *found; /* by each: a place; or its `to` */
	size_t room, first, n;
};

void boxbatch_init(struct boxbatch *b, const struct questions *q, const struct boxtree *tree,
		   const int32_t *wanted);
void boxbatch_drop(struct boxbatch *b);

/* Asks n questions from the first on. Returns how many blocks were looked at. */
uint64_t boxbatch_find(struct boxbatch *b, size_t first, size_t n);
/* Asks one again. */
uint32_t boxbatch_again(struct boxbatch *b, size_t question);

#endif
