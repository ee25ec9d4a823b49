/*
 * Analyses that are sums over intervals of a kind, as queries of all traces with a specification:
 * what `glimpse threads`, `locks` and `profile` print with --format=csv, as far as the tables tell.
 * Each returns what selects the rows from the query's expressions, which is the caller's; NULL: SQL
 * cannot say it, as the query's refusal says.
 */
#ifndef GLIMPSE_SQL_ANALYSES_H
#define GLIMPSE_SQL_ANALYSES_H

#include "sql/query.h"

/* By thread: thread, name, running, ready, blocked. Open states end with their thread. */
char *threads_select(struct query *q);
/*
 * By lock: process, kind (the attribute), address, number (of the objects that were at the address
 * before), label (of intervals without an object), acquisitions, contended, and sums of waits and
 * holds.
 */
char *locks_select(struct query *q);
/*
 * By function: process, function (address), name (of intervals without one), calls, unfinished,
 * total, self. Times are NULL where calls of a thread do not end in the order of a stack.
 */
char *profile_select(struct query *q);

/*
 * Writes when threads end: thread, last (its last event), finished (1: its life has an end).
 * Returns the expression's name, the caller's.
 */
char *thread_ends_write(struct query *q);

#endif
