/*
 * By which column a box is cut: the one whose border between what a question wants and what it does
 * not goes through the box for most questions that look into the box. A sample of them goes down with
 * the boxes. Where few are left of it, what was known above goes on: a cut halves the borders that
 * go through either part. One question more is thought of that has a border in each column, for those
 * that are too rare to be in the sample: where it counts as much as others, columns are cut in turn.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_KD_CUT_H
#define GLIMPSE_MATCH_COMPARISONS_KD_CUT_H

#include "match/comparisons/kd_order.h"

enum { BOXCUT_SAMPLE = 1 << 13, BOXCUT_DEPTH = 24 };

struct boxcut {
	unsigned ncolumns;
	uint32_t differs;  /* bit c: columns c and c + 1 are met unless both words are the wanted ones */
	struct boxasked asked;
};

/* Room for those that look into a box, and into those it is a part of. */
struct boxcut_room {
	uint16_t sample[BOXCUT_DEPTH][BOXCUT_SAMPLE];
};

/* What is known of a box. */
struct boxcut_reach {
	const uint16_t *sample; /* those of the questions' sample that have a border in it */
	unsigned n, depth, last; /* last: by which column it was cut before */
	uint32_t borders[BOXORDER_COLUMNS]; /* how many go through it, for each column */
	uint32_t thought[BOXORDER_COLUMNS]; /* what the one more adds to that */
};

void boxcut_begin(const struct boxcut *c, struct boxcut_room *room, struct boxcut_reach *all);
/* Chooses for n rows, and makes of what is known of them what is known of either part. */
unsigned boxcut_choose(const struct boxcut *c, struct boxcut_room *room, struct boxcut_reach *r,
		       const int32_t *rows, size_t n);

#endif
