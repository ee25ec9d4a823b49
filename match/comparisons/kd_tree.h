/*
 * Candidates in the order of their boxes (boxorder.h), so that near ones stand together, and over
 * them a tree, of sixteen below one: each entry has the greatest word of each column below it, which
 * is a corner of the box that they are in, and the least place. A
 * search for the least place whose words are all at least the wanted ones looks into the boxes
 * whose corners are. That they stand by their words, and not by their places, is why few of them
 * promise what no candidate below keeps: the boxes across the border of what is wanted, at most
 * n^(1 - 1/k) of them for k columns.
 *
 * Candidates can be put to sleep and woken; those that sleep are found by no search.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_KD_TREE_H
#define GLIMPSE_MATCH_COMPARISONS_KD_TREE_H

#include "match/comparisons/kd_order.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOXTREE_FAN = 16, BOXTREE_LEVELS = 9, BOXTREE_COLUMNS = BOXORDER_COLUMNS };

/* Words of candidates lie between these. A question's may be BOX_LEAST. */
#define BOX_LEAST INT32_MIN
#define BOX_MOST INT32_MAX
/* A search that found nothing. */
#define BOX_NOTHING INT32_MAX

struct boxtree {
	size_t n;
	unsigned ncolumns;
	uint32_t differs; /* bit c: columns c and c + 1 are met unless both words are the wanted ones */
	unsigned nlevels;
	int32_t *level[BOXTREE_LEVELS]; /* blocks of sixteen: the first column's words; ..; places */
	size_t count[BOXTREE_LEVELS];
	void *memory;
	uint32_t *rows; /* of each place */
	struct boxcells cells; /* in which searches are near each other */
};

struct boxtree_search {
	const int32_t *wanted;
	int32_t from, limit; /* the place is at least, and below; then what was found, or as it was */
	uint32_t question;
	/* Whether a candidate that meets the comparisons will do. */
	bool (*test)(const void *context, uint32_t question, uint32_t place);
	const void *context;

	unsigned depth; /* blocks that are open, from the root down */
	struct {
		uint32_t block;
		uint16_t promising; /* entries */
	} open[BOXTREE_LEVELS];
};

/* rows: ncolumns words of each place, and the place; are put in order. All sleep, or all are awake.
 * asked: what the boxes are to be good for. */
void boxtree_init(struct boxtree *t, int32_t *rows, size_t n, unsigned ncolumns, uint32_t differs,
		  bool awake, struct boxasked asked);
void boxtree_drop(struct boxtree *t);
void boxtree_wake(struct boxtree *t, uint32_t place);
void boxtree_sleep(struct boxtree *t, uint32_t place);
/* Says that a place will soon be woken or sleep, if there is such a place. */
void boxtree_expect(const struct boxtree *t, size_t place);

/* Several searches side by side, so that the processor waits for all of them together. Returns how
 * many blocks were looked at. */
uint64_t boxtree_find(const struct boxtree *t, struct boxtree_search *searches, size_t n);

#endif
