/*
 * Words of 64 bits as words of 32 that compare as they do: less a common least one, or, where they
 * are too far apart, their ranks.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_SHORTEN_H
#define GLIMPSE_MATCH_COMPARISONS_SHORTEN_H

#include "match/comparisons/queries.h"

/* Where words go: a candidate's by its place, and a question's; each a stride behind the one
 * before. */
struct shortened {
	int32_t *candidates, *questions;
	unsigned candidate_stride, question_stride;
};

/*
 * The candidates' lie between BOX_LEAST and BOX_MOST. A question that is beyond them all has
 * BOX_LEAST or BOX_MOST; when the column is one of an inequality, always BOX_LEAST.
 */
void shorten_column(const struct questions *q, unsigned column, bool differs, struct shortened to);

#endif
