/*
 * Several comparisons at once, where candidates stay: all queries of a group are known, and can be
 * answered in another order than that of the stream.
 *
 * Two comparisons: candidates and queries are taken in descending order of the first one's words,
 * and a tree over the places of the candidates gets them as they come; in it a query finds the
 * first one by its second comparison. That is n log n. Each further comparison cuts the candidates
 * in halves by its words: a query below the cut has its comparison met by all of the upper half,
 * one above it by none of the lower; each cut takes a factor log n.
 */
#ifndef GLIMPSE_TRACE_SWEEP_H
#define GLIMPSE_TRACE_SWEEP_H

#include "trace/group.h"

/* Answers the queries among the group's rows from the begin-th on; at: how many candidates are
 * before it. */
void sweep_group(const struct group *g, size_t begin, size_t at);

#endif
