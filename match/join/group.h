/* One group of a bucket: rows with the same key, in the order of the stream. */
#ifndef GLIMPSE_MATCH_JOIN_GROUP_H
#define GLIMPSE_MATCH_JOIN_GROUP_H

#include "match/join/search.h"

struct group {
	const struct search *search;
	struct scratch *scratch;        /* its index is over the group's candidates */
	const uint64_t *rows;           /* of the bucket */
	const uint32_t *order;          /* the group's rows among them */
	const uint32_t *stored;         /* instead of these two: all rows, as they are stored */
	size_t n;
	size_t ncandidates;
	bool all;                       /* every moment there is is a candidate */
};

static inline bool group_is_query(const struct group *g, size_t i)
{
	if (g->stored)
		return g->stored[i * g->search->rows->halves] & 1;
	return row_is_query(g->rows + g->order[i] * (size_t)g->search->rows->width);
}

/* room: for ROW_WORDS, where the row may be. */
static inline const uint64_t *group_row(const struct group *g, size_t i, uint64_t *room)
{
	if (!g->stored)
		return g->rows + g->order[i] * (size_t)g->search->rows->width;
	row_load(g->search->rows, room, g->stored + i * g->search->rows->halves);
	return room;
}

/* What a row says to the index. */
static inline const uint64_t *row_words(const struct group *g, const uint64_t *row)
{
	return row + 1 + g->search->rows->keys;
}

/* Which moment the i-th candidate is. */
static inline size_t candidate_place(const struct group *g, size_t i)
{
	return g->all ? i : g->scratch->candidates[i];
}

/* Fills and builds the index. */
void group_make_index(const struct group *g);

/* Puts the query's side into the operands, if the plan has anything left to test. */
void group_bind(const struct group *g, const uint64_t *row, struct operand *operands);
/* Finds the candidate of a query, which stands before the candidate `at` and after those below it. */
void group_query(const struct group *g, const uint64_t *row, size_t at);
/* Whether the rest of the condition holds with a candidate. */
bool group_test(const struct group *g, size_t candidate, struct operand *operands);

#endif
