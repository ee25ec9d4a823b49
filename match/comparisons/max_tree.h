/*
 * Searches the candidates of one group, in the order of the stream, for the first or last one in a
 * range of positions that meets all comparisons of a query. A comparison is met when the
 * candidate's word is at least the query's; two columns marked as an inequality are met unless both
 * words are the query's.
 *
 * Columns that only rise or only fall along the stream bound the range. Over the others stands a
 * tournament tree, sixteen entries to a node, with the maximum of each column in each entry: a
 * single column is answered in logarithmic time. With several columns an entry can promise what no
 * candidate below it keeps; where that happens too often (max_tree_is_poor), kd_answer() takes
 * over.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_MAX_TREE_H
#define GLIMPSE_MATCH_COMPARISONS_MAX_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_TREE_COLUMNS = 16, MAX_TREE_LEVELS = 16 };

#define MAX_TREE_NONE SIZE_MAX

struct max_tree {
	/* Set by the caller before max_tree_reset(). */
	bool take; /* candidates can be taken */
	bool last; /* the last candidate of a range is wanted, not the first */
	unsigned ncolumns;
	uint32_t differs; /* bit c: columns c and c + 1 are an inequality */

	size_t n;                       /* candidates */
	uint64_t *words;                /* ncolumns for each candidate; the caller fills them in */
	unsigned rising, falling;       /* bits of the columns that bound the range */
	size_t bound[MAX_TREE_COLUMNS]; /* where they bounded it in the query before */
	unsigned nactive; /* columns in the tree; with take, the last of them says "not taken" */
	uint8_t active[MAX_TREE_COLUMNS + 1];
	uint32_t active_differs;
	uint64_t *nodes; /* level by level, candidates first; nactive words for each entry */
	uint64_t *level[MAX_TREE_LEVELS];
	size_t count[MAX_TREE_LEVELS]; /* entries */
	unsigned nlevels;
	uint32_t *link; /* without a tree: the position to try instead of a taken one */
	size_t room_words, room_nodes, room_link;

	uint64_t visited;               /* entries looked at in all */
	uint64_t visited_before, asked; /* the same before it was built; queries since then */
};

/* Makes room for the words of n candidates. */
void max_tree_reset(struct max_tree *t, size_t n);
/* Builds the tree when the words are filled in. */
void max_tree_build(struct max_tree *t);
void max_tree_clear(struct max_tree *t);
/* Free the nodes, or the words; the properties of the columns stay. */
void max_tree_drop_nodes(struct max_tree *t);
void max_tree_drop_words(struct max_tree *t);

/* Returns the first or last candidate in [from, to) that meets the query, or MAX_TREE_NONE. */
size_t max_tree_find(struct max_tree *t, size_t from, size_t to, const uint64_t *query);
/* Narrows [from, to) to what the rising and falling columns leave of it. */
void max_tree_narrow(struct max_tree *t, size_t *from, size_t *to, const uint64_t *query);
void max_tree_take(struct max_tree *t, size_t i);
bool max_tree_is_taken(const struct max_tree *t, size_t i);

/* How many entries a query may look at on average; tests make it small. */
extern unsigned max_tree_patience;
/* Tells whether queries with several comparisons look at more. */
bool max_tree_is_poor(const struct max_tree *t);

#endif
