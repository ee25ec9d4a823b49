/*
 * Many changes and many queries of a k-d tree at once, sorted by where in the tree they lead: so
 * the processor's cache holds what the next one needs. The tree does not change while queries are
 * asked, and all processors share them.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_KD_BATCH_H
#define GLIMPSE_MATCH_COMPARISONS_KD_BATCH_H

#include "match/comparisons/kd_tree.h"
#include "match/comparisons/queries.h"

/* ---- changes ---- */

enum { KD_CHANGES = 1 << 15 };

/* Positions that are to be activated, or deactivated. */
struct kd_changes {
	struct kd_tree *tree;
	void (*change)(struct kd_tree *t, uint32_t position);
	uint32_t *positions, *sorted;
	size_t n;
};

/* Begins a list of changes; change: kd_tree_activate or kd_tree_deactivate. */
void kd_changes_init(struct kd_changes *c, struct kd_tree *t,
		     void (*change)(struct kd_tree *t, uint32_t position));
void kd_changes_clear(struct kd_changes *c);
/* Notes a position. It is changed when there are many of them, or by kd_changes_apply(). */
void kd_changes_add(struct kd_changes *c, uint32_t position);
void kd_changes_apply(struct kd_changes *c);

/* ---- queries ---- */

enum { KD_BATCH = 1 << 15 };

/* How many queries a processor fetches at a time; tests make it small. */
extern size_t kd_batch_chunk;

struct kd_worker;

struct kd_batch {
	const struct queries *queries;
	const struct kd_tree *tree;
	const int32_t *wanted; /* the words of each query */
	struct kd_worker *workers;
	unsigned nworkers;
	uint32_t *order; /* the queries, counted from the first of the batch, sorted */
	uint32_t *found; /* by each: a position, or its `to` */
	size_t room, first, n;
};

void kd_batch_init(struct kd_batch *b, const struct queries *q, const struct kd_tree *tree,
		   const int32_t *wanted);
void kd_batch_clear(struct kd_batch *b);
/* Asks n queries from the first on. Returns how many nodes were looked at. */
uint64_t kd_batch_find(struct kd_batch *b, size_t first, size_t n);
/* Asks one query again. */
uint32_t kd_batch_find_one(struct kd_batch *b, size_t query);

#endif
