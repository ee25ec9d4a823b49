/*
 * Searches within groups: rows of a partition that have the same key. Each group gets a max tree
 * over its candidates; if that answers its queries poorly, a k-d tree.
 */
#ifndef GLIMPSE_MATCH_JOIN_GROUP_H
#define GLIMPSE_MATCH_JOIN_GROUP_H

#include "match/join/match.h"
#include "match/join/partition.h"

/* Rows of a large group that a processor searches at a time; tests make it small. */
extern size_t group_chunk;

/* Finds the partners of all anchors that have rows in the partition. */
void groups_match(struct matches *m, const struct plan *plan, const struct partition *p);

#endif
