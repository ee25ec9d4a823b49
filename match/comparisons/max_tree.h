/*
 * The candidates of one group, in the order of the stream, and the first or last of them in a
 * stretch that meets all of a query's comparisons. A comparison is met when the candidate's word is
 * at least the query's; two columns marked as an inequality are met unless both words are equal.
 *
 * Columns that only rise or only fall bound the stretch. Over the others stands a tree, of sixteen
 * below one, that has the maximum of each column in each of its nodes: a single one is answered in
 * logarithmic time. Of several, a node can promise what no candidate below it keeps; where that
 * happens too often (index_is_poor), boxes.c takes over.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_MAX_TREE_H
#define GLIMPSE_MATCH_COMPARISONS_MAX_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MOST_COLUMNS = 16,
	MOST_LEVELS = 16,
	INDEX_SHIFT = 4,
	INDEX_FAN = 1 << INDEX_SHIFT, /* entries of a level below one of the next */
};

#define INDEX_NONE SIZE_MAX

struct index {
	size_t n;
	bool take;                      /* candidates can be taken out */
	bool last;              /* it will be asked for the last of a stretch, not the first */
	unsigned ncolumns;
	uint32_t differs;               /* bit c: columns c and c + 1 are an inequality */
	uint64_t *words;        /* candidate by candidate; the user fills them in */

	unsigned rising, falling;       /* bits of the columns that bound the stretch */
	size_t bound[MOST_COLUMNS];     /* where they did in the query before */
	unsigned nactive;       /* the columns in the tree; the last of them says "not taken" */
	uint8_t active[MOST_COLUMNS + 1];
	uint32_t active_differs;
	uint64_t *tree;         /* level by level, candidates first; nactive words each */
	uint64_t *level[MOST_LEVELS];
	size_t count[MOST_LEVELS];      /* entries */
	unsigned nlevels;
	uint32_t *link;         /* without a tree: where to look instead of a taken candidate */

	size_t room_words, room_tree, room_link;
	uint64_t visited;               /* nodes and candidates looked at */
	uint64_t visited_before, asked; /* before it was built; queries since */
};

/* Makes room for the words of n candidates; ncolumns, differs, take and last must be set. */
void index_reset(struct index *x, size_t n);
/* To be called when the words are filled in. */
void index_build(struct index *x);
void index_drop(struct index *x);
/* Gives back the tree's memory, then that of the words; what it knew of the columns stays. */
void index_forget_tree(struct index *x);
void index_forget_words(struct index *x);

/* The first (or last, as x->last says) in [from, to) that meets the query; INDEX_NONE when there is
 * none. */
size_t index_find(struct index *x, size_t from, size_t to, const uint64_t *query);
void index_take(struct index *x, size_t i);

/* How many places queries may look at on average; tests make it small. */
extern unsigned index_patience;
/* Whether they look at more: several comparisons are asked for at once, and it does not go well. */
bool index_is_poor(const struct index *x);

/* The stretch that is left to a query by the columns that bound it. */
void index_narrow(struct index *x, size_t *from, size_t *to, const uint64_t *query);
bool index_is_taken(const struct index *x, size_t i);

#endif
