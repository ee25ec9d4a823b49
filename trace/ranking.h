/*
 * Ranks in place of words: how each word of a column stands among those of a group's candidates.
 * They have half the size, and are dense: a column can be halved without looking for its median.
 */
#ifndef GLIMPSE_TRACE_RANKING_H
#define GLIMPSE_TRACE_RANKING_H

#include "trace/keyed.h"
#include "trace/questions.h"

/*
 * Candidates and questions in descending order of their words: i is a candidate's place, or,
 * counted on behind the last of them, a question. A candidate stands before the questions that it
 * meets and behind all others. Owned by the caller; not for RANK_OTHER.
 */
struct keyed *ranking_order(const struct questions *q, struct compared by);

/*
 * Writes the ranks of the candidates, by place, and of the questions, each stride behind the one
 * before. A candidate's is 1 or more. It meets a question when it is at least the question's; for
 * RANK_OTHER, when it is another. Otherwise no two candidates have the same, and the greatest is
 * their number.
 */
void ranking_column(const struct questions *q, struct compared by, uint32_t *candidates,
		    uint32_t *questions, unsigned stride);

#endif
