/*
 * Ranks in place of words: how each word of a column stands among those of a group's candidates.
 * They have half the size, and are dense: a column can be halved without looking for its median.
 */
#ifndef GLIMPSE_TRACE_RANKING_H
#define GLIMPSE_TRACE_RANKING_H

#include "trace/group.h"
#include "trace/keyed.h"

enum rank_kind {
	RANK_AT_LEAST,  /* met by a candidate whose word is at least the query's */
	RANK_ABOVE,     /* by one whose word is greater */
	RANK_OTHER,     /* by one whose word is another: two columns, of which this is the first */
};

/* The candidates of the group, and some of its queries, which are counted from 0. */
struct ranking {
	const struct group *group;
	const uint32_t *queries;        /* which of the group's rows they are */
	size_t nqueries;
};

/*
 * Both side by side, in descending order of their words: i is a candidate, or behind the last of
 * them a query. A candidate stands before the queries that it meets and behind all others. Owned
 * by the caller; not for RANK_OTHER.
 */
struct keyed *ranking_order(const struct ranking *r, unsigned column, enum rank_kind kind);

/*
 * Writes the ranks of a column, each stride behind the one before. A candidate's is 1 or more. It
 * meets a query when it is at least the query's; for RANK_OTHER, when it is another. Otherwise no two
 * candidates have the same, and the greatest is their number.
 */
void ranking_column(const struct ranking *r, unsigned column, enum rank_kind kind,
		    uint32_t *candidates, uint32_t *queries, unsigned stride);

#endif
