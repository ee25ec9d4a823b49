/*
 * Queries that find the instances of intervals: common table expressions, one after the other, and
 * a SELECT of them. Events are sorted within groups of equal keys, by windows; where pairs are to
 * be tested, those of equal keys or near in time are joined. What cannot be said so is refused.
 */
#ifndef GLIMPSE_SQL_QUERY_H
#define GLIMPSE_SQL_QUERY_H

#include "base/array.h"
#include "sql/conjuncts.h"
#include "sql/expression.h"
#include <stdio.h>

/* A column of an end that an analysis asks for. */
struct asked_column {
	enum side side;
	const char *name; /* of the end's names */
	enum sql_type type;
};

struct query_interval {
	char *name;             /* of its expression, in quotes; NULL: it has none yet */
	char *pairs;            /* of that which has the attributes of both ends */
	char *rows[2];          /* of those of its ends, by side: filtered events */
	struct sql_end ends[2]; /* by side */
	VECTOR(struct asked_column) asked;
};

struct query {
	enum dialect dialect;
	const struct spec *spec;
	struct event_tables tables;
	struct field_names names;         /* of tables and of expressions */
	char **event_tables;              /* by the event's index: in quotes, or a SELECT */
	bool windowed;                    /* these are events of a window alone */
	struct query_interval *intervals; /* by the interval's index */
	FILE *with;                       /* the expressions */
	char *text;                       /* what they are when the file is closed */
	size_t size;
	unsigned nexpressions;
	char *refusal; /* what SQL cannot say; NULL: nothing so far */
};

void query_begin(struct query *q, const struct spec *spec, enum dialect dialect);
void query_free(struct query *q);

/* From here on all events are those of a window, including both its ends. */
void query_window(struct query *q, int64_t from, int64_t to);

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
 * Ask that an interval's pairs have more columns than conditions and metrics need: an attribute of
 * an end, the process of its thread, or all that an expression is about. Before query_interval().
 * The first two return how the pairs call the column, in quotes; the caller's.
 */
char *query_ask_attribute(struct query *q, const struct interval *i, enum side side,
			  unsigned attribute);
char *query_ask_process(struct query *q, const struct interval *i, enum side side);
void query_ask(struct query *q, const struct interval *i, const struct expr *e);

/*
 * Returns one side of a key, of the tables e and t of its end; the caller's. Both sides have one
 * type, and zero one sign, so that equal values are the same.
 */
char *query_key(const struct sql_scope *s, const struct conjunct_key *k, enum side side);

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
