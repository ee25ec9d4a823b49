/*
 * Queries that find the instances of intervals: common table expressions, one after the other, and
 * a SELECT of them. Events are sorted within groups of equal keys, by windows; where pairs are to
 * be tested, those of equal keys or near in time are joined. What cannot be said so is refused.
 */
#ifndef GLIMPSE_SQL_QUERY_H
#define GLIMPSE_SQL_QUERY_H

#include "sql/conjuncts.h"
#include "sql/expression.h"
#include <stdio.h>

struct query_interval {
	char *name;             /* of its expression, in quotes; NULL: it has none yet */
	char *pairs;            /* of that which has the attributes of both ends */
	struct sql_end ends[2]; /* by side */
};

struct query {
	enum dialect dialect;
	const struct spec *spec;
	struct event_tables tables;
	struct field_names names;         /* of tables and of expressions */
	char **event_tables;              /* by the event's index, in quotes */
	struct query_interval *intervals; /* by the interval's index */
	FILE *with;                       /* the expressions */
	char *text;                       /* what they are when the file is closed */
	size_t size;
	unsigned nexpressions;
	char *refusal; /* what SQL cannot say; NULL: nothing so far */
};

void query_begin(struct query *q, const struct spec *spec, enum dialect dialect);
void query_free(struct query *q);

/*
 * Adds the expressions that find the instances of an interval, those that it needs before it. The
 * last one has the columns anchor_time, anchor_thread, anchor_seq, the same of the partner (NULL:
 * there is none), duration, and the metrics by their names. Returns NULL, and sets the refusal, if
 * SQL cannot say it.
 */
const struct query_interval *query_interval(struct query *q, const struct interval *i);
/* Returns the names of the columns that the metrics of an interval have, after the seven others. */
struct field_names query_metric_names(const struct interval *i);
enum { QUERY_COLUMNS = 7 };

/*
 * Begins an expression of a name, which gets a number if it is taken; returns it in quotes, the
 * caller's.
 */
char *query_expression(struct query *q, const char *name);
/* Writes the expressions and what selects from them. */
void query_write(struct query *q, const char *select, FILE *out);

/* Returns how the columns of an interval's pairs are asked for. */
struct sql_scope query_scope(const struct query *q, const struct query_interval *i);

#endif
