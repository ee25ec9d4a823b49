/*
 * Searches a k-d tree over candidates: rows of words and a position. Rows are in the order of
 * kd_order(), and above them stand nodes of sixteen entries. Each entry has the maximum of every
 * column below it, which is the upper corner of the box that its rows lie in, and the least
 * position. A search for the least position whose words are all at least the wanted ones looks into
 * the boxes whose corners are, the one with the least position first. Boxes searched in
 * vain are those across the border of what is wanted: at most in the order of n^(1 - 1/k) for k
 * columns.
 *
 * Candidates are active or inactive; a search finds only active ones.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_KD_TREE_H
#define GLIMPSE_MATCH_COMPARISONS_KD_TREE_H

#include "match/comparisons/kd_build.h"
#include <stdbool.h>

enum { KD_LEVELS = 9 };

/* The words of candidates lie between these two. A query's may be KD_LEAST. */
#define KD_LEAST INT32_MIN
#define KD_MOST INT32_MAX

struct kd_tree {
	size_t n;
	unsigned ncolumns;
	uint32_t differs; /* bit c: columns c and c + 1 are met unless both are the wanted words */
	unsigned nlevels;
	int32_t *level[KD_LEVELS]; /* nodes: 16 words of the first column, ..; 16 positions */
	size_t count[KD_LEVELS];   /* entries */
	void *memory;
	uint32_t *row; /* of each position */
	struct kd_cuts cuts;
};

struct kd_search {
	const int32_t *wanted;
	int32_t from;  /* the position is at least that, */
	int32_t limit; /* and below that; it becomes what is found */
	uint32_t query;
	/* Tells whether a candidate that meets the comparisons will do. */
	bool (*test)(void *context, uint32_t query, uint32_t position);
	void *context;

	unsigned depth; /* nodes that are open, from the root down */
	struct {
		uint32_t node;
		uint16_t promising; /* bits of entries */
	} open[KD_LEVELS];
};

/* Builds the tree of rows, which have ncolumns words and the position; their order changes. All are
 * active, or none. */
void kd_tree_init(struct kd_tree *t, int32_t *rows, size_t n, unsigned ncolumns, uint32_t differs,
		  bool active, struct kd_queries queries);
void kd_tree_clear(struct kd_tree *t);

void kd_tree_activate(struct kd_tree *t, uint32_t position);
void kd_tree_deactivate(struct kd_tree *t, uint32_t position);
/* Fetches what changing a position will need. */
void kd_tree_prefetch(const struct kd_tree *t, uint32_t position);

/* Carries out searches side by side, so that the processor waits for memory for all of them
 * together. Returns how many nodes were looked at. */
uint64_t kd_tree_find(const struct kd_tree *t, struct kd_search *searches, size_t n);

#endif
