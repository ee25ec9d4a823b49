/* What instances add up to, as queries: statistics of their durations, and assertions. */
#ifndef GLIMPSE_SQL_SUMMARY_H
#define GLIMPSE_SQL_SUMMARY_H

#include "sql/query.h"

/*
 * Returns what selects the statistics of an interval from the query's expressions; the caller's.
 * Its columns: interval, count, unmatched, min, mean, p50, p90, p99, max, total, as those of
 * `glimpse stats`. NULL: SQL cannot say it.
 */
char *stats_select(struct query *q, const struct interval *i);

/*
 * Returns the same of an assertion: assertion (its text), holds, instances and violated (NULL: it
 * is of the run).
 */
char *check_select(struct query *q, const struct assertion *a);

/*
 * Returns the rank, among n values (a column), of a quantile by nearest rank, in millionths as
 * base/quantile.h has it; the caller's.
 */
char *quantile_rank(const struct query *q, double quantile);

#endif
