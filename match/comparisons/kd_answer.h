/*
 * Answers queries with several comparisons by a k-d tree over the candidates, in the order of the
 * stream.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_KD_ANSWER_H
#define GLIMPSE_MATCH_COMPARISONS_KD_ANSWER_H

#include "match/comparisons/queries.h"

/* Answers the queries. The nodes and the words of their max tree are freed. */
void kd_answer(struct queries *q);

#endif
