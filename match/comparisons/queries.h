/*
 * The queries of a group from some row on, where the index of the group does not answer them well:
 * their places, and in which columns they are compared.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_QUERIES_H
#define GLIMPSE_MATCH_COMPARISONS_QUERIES_H

#include "match/join/group.h"

struct questions {
	const struct group *group;
	bool mirrored;	     /* places are counted from the last candidate, as the last is sought */
	uint32_t *rows;	     /* which of the group's rows they are */
	uint32_t *from, *to; /* where the candidate of each can be, as places */
	size_t n;
	size_t nrows;        /* of the group, from the begin-th on */
	uint64_t *taken;     /* a bit for each place; NULL: candidates stay */
};

/* at: how many candidates are before the begin-th row. */
void questions_init(struct questions *q, const struct group *g, size_t begin, size_t at);
void questions_drop(struct questions *q);

/* A candidate's place, and back. */
static inline uint32_t questions_place(const struct questions *q, size_t i)
{
	return (uint32_t)(q->mirrored ? q->group->ncandidates - 1 - i : i);
}

static inline uint64_t questions_word(const struct questions *q, size_t question, unsigned column)
{
	uint64_t room[ROW_WORDS];

	return row_words(q->group, group_row(q->group, q->rows[question], room))[column];
}

static inline bool questions_is_taken(const struct questions *q, uint32_t place)
{
	return q->taken && (q->taken[place / 64] >> place % 64 & 1);
}

static inline void questions_take(struct questions *q, uint32_t place)
{
	q->taken[place / 64] |= (uint64_t)1 << place % 64;
}

/* Tells the user that those from..to-1 have been answered. */
void questions_step(const struct questions *q, size_t from, size_t to);
/* Whether the rest of the condition holds. */
bool questions_test(const struct questions *q, size_t question, uint32_t place);
void questions_pair(const struct questions *q, size_t question, uint32_t place);

#endif
