/*
 * Declares queries for candidates of one group by their words, and the callbacks to their owner for
 * what this folder does not know: the rows of events.
 *
 * Positions number the candidates in the direction of the search, so that always the least one is
 * wanted: from the last candidate where the last is sought.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_QUERIES_H
#define GLIMPSE_MATCH_COMPARISONS_QUERIES_H

#include "match/comparisons/max_tree.h"

struct query_hooks {
	/* Returns the words of a query's row, in the columns of the tree, until the next call. */
	const uint64_t *(*words)(void *context, uint32_t row);
	/* Tells whether the rest of the condition holds. Called by several workers at a time. */
	bool (*test)(void *context, unsigned worker, uint32_t row, size_t candidate);
	/* Takes a query's candidate. */
	void (*found)(void *context, uint32_t row, size_t candidate);
	/* Hears that n more queries have been answered. */
	void (*step)(void *context, size_t n);
};

struct queries {
	struct max_tree *tree; /* over the candidates */
	const struct query_hooks *hooks;
	void *context;       /* of the hooks */
	uint32_t *rows;      /* the row of each query */
	uint32_t *from, *to; /* its candidate's position is in [from, to) */
	size_t n;
	uint64_t *taken; /* a bit for each position; NULL: candidates are not taken */
};

/* Makes room for n queries. Candidates that are taken in the tree are so here. */
void queries_init(struct queries *q, struct max_tree *tree, size_t n,
		  const struct query_hooks *hooks, void *context);
void queries_clear(struct queries *q);
/* Adds the query of a row before which there are `at` candidates, unless none can be its own. */
void queries_add(struct queries *q, uint32_t row, const uint64_t *words, size_t at);

/* Converts a candidate's number to its position, and back. */
static inline uint32_t queries_position(const struct queries *q, size_t i)
{
	return (uint32_t)(q->tree->last ? q->tree->n - 1 - i : i);
}

static inline bool queries_is_taken(const struct queries *q, uint32_t position)
{
	return q->taken && (q->taken[position / 64] >> position % 64 & 1);
}

static inline void queries_take(struct queries *q, uint32_t position)
{
	q->taken[position / 64] |= (uint64_t)1 << position % 64;
}

#endif
