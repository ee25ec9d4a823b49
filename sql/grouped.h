/* Statistics of an interval by the values of expressions, as `glimpse stats --by` has them. */
#ifndef GLIMPSE_SQL_GROUPED_H
#define GLIMPSE_SQL_GROUPED_H

#include "sql/query.h"

enum { GROUPED_MOST = 4 };

/* What instances are grouped by. */
struct grouped_by {
	const struct expr *keys[GROUPED_MOST]; /* of the interval's ends */
	const char *names[GROUPED_MOST];       /* of the columns */
	unsigned n;
};

/*
 * Returns what selects a row for each group: interval, the keys, the columns of stats_select().
 * Anchors without a partner are in the groups if the keys ask for the anchor alone; else unmatched
 * is NULL. Code and objects count by their addresses. NULL: SQL cannot say it.
 */
char *grouped_select(struct query *q, const struct interval *i, const struct grouped_by *by);

#endif
