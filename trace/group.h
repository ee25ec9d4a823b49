/* One group of a bucket: rows with the same key, in the order of the stream. */
#ifndef GLIMPSE_TRACE_GROUP_H
#define GLIMPSE_TRACE_GROUP_H

#include "trace/search.h"

struct group {
	const struct search *search;
	struct scratch *scratch;        /* its index is over the group's candidates */
	const uint64_t *rows;           /* of the bucket */
	const uint32_t *order;          /* the group's rows among them */
	size_t n;
	size_t ncandidates;
};

static inline const uint64_t *group_row(const struct group *g, size_t i)
{
	return g->rows + g->order[i] * (size_t)g->search->rows->width;
}

/* What a row says to the index. */
static inline const uint64_t *row_words(const struct group *g, const uint64_t *row)
{
	return row + 1 + g->search->rows->keys;
}

/* Which moment the i-th candidate is. */
static inline size_t candidate_place(const struct group *g, size_t i)
{
	return g->scratch->candidates[i];
}

/* Puts the query's side into the operands, if the plan has anything left to test. */
void group_bind(const struct group *g, const uint64_t *row, struct operand *operands);
/* Finds the candidate of a query, which stands before the candidate `at` and after those below it. */
void group_query(const struct group *g, const uint64_t *row, size_t at);
/* Whether the rest of the condition holds with a candidate. */
bool group_test(const struct group *g, size_t candidate, struct operand *operands);

#endif
