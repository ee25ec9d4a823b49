/* A group that is alone and large: its queries in pieces, on all processors. */
#ifndef GLIMPSE_MATCH_JOIN_PIECES_H
#define GLIMPSE_MATCH_JOIN_PIECES_H

#include "match/join/group.h"

/* How many rows a piece has; tests make it small. */
extern size_t piece_rows;

/* Whether the group is worth it: candidates must stay, or the order of the queries matters. */
bool pieces_can(const struct group *g);

/* False when the index turned out to be poor, and not all queries are answered. */
bool pieces_search(const struct group *g);

#endif
