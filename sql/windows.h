/*
 * Pairs of anchors and partners, as expressions of a query. Three forms are windows over the rows
 * of both sides, sorted within their key: the nearest partner, a queue and a stack. The fourth
 * joins the candidates and takes the nearest.
 */
#ifndef GLIMPSE_SQL_WINDOWS_H
#define GLIMPSE_SQL_WINDOWS_H

#include "sql/query.h"

struct pair_column {
	const char *name; /* without its side's prefix */
	enum sql_type type;
};

/* The columns of the pairs, by side; the first three are time, thread and seq. */
struct pair_columns {
	VECTOR(struct pair_column) of[2];
};

struct pairs {
	const struct interval *interval;
	const struct sql_end *ends;
	const struct conjuncts *conjuncts;
	struct pair_columns columns;
	char *anchors, *partners; /* the expressions of their rows */
	char *name;               /* of the pairs' expression: set by those below */
};

/* Each anchor has the nearest partner of its key; the rest is then tested on it. */
void nearest_write(struct query *q, struct pairs *p);
/* Partners take the anchor that waits longest. */
void queue_write(struct query *q, struct pairs *p);
/* The last that came is taken first. */
void stack_write(struct query *q, struct pairs *p);
/* Each anchor has the nearest partner of those with which all holds. */
void candidates_write(struct query *q, struct pairs *p);

#endif
