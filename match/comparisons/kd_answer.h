/*
 * Several comparisons at once, where the index is poor: queries are answered in the order of the
 * stream by a tree over the candidates that stand by their words (boxtree.c).
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_KD_ANSWER_H
#define GLIMPSE_MATCH_COMPARISONS_KD_ANSWER_H

#include "match/comparisons/queries.h"

/* Answers the questions. The group's index is gone afterwards. */
void boxes_answer(struct questions *q);

#endif
