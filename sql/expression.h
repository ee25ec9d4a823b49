/*
 * Expressions of the language as SQL. Where ours has a fault (a number beyond 64 bits, a division
 * by zero) the SQL is NULL, which no comparison makes true; whole numbers are exact, comparisons
 * with NaN are false but for `!=`.
 */
#ifndef GLIMPSE_SQL_EXPRESSION_H
#define GLIMPSE_SQL_EXPRESSION_H

#include "formats/event_tables.h"
#include "sql/dialect.h"

/* The columns of an end of an interval, before its attributes. */
enum end_column { END_TIME, END_THREAD };

/* An end of an interval: its columns are named PREFIX and a name of its own. */
struct sql_end {
	const struct event_type *event;
	struct table_columns columns;
	const char *owner, *process; /* of the thread, by names that no column has */
};

struct sql_scope {
	enum dialect dialect;
	const struct sql_end *ends; /* two, by side */
	bool joined; /* columns are those of joined ends; else of the tables e and t of one end */
	/*
	 * Sets *sql to an aggregate, which may be NULL. Returns false if there is none. NULL: the
	 * expression has none.
	 */
	char *(*aggregate)(void *context, const struct aggregate *a);
	void *context;
};

struct sql_end sql_end_of(const struct event_type *e);
void sql_end_free(struct sql_end *e);

/* Returns the name of the column that an attribute of an end has. */
const char *sql_attribute_name(const struct sql_end *end, unsigned attribute);
/* Returns the name of the column of an end that a leaf of an expression asks for. */
const char *sql_leaf_name(const struct sql_end *end, const struct expr *leaf);
/*
 * Returns a column of joined ends as SQL, in quotes; the caller's. name: "time", or of an
 * attribute.
 */
char *sql_joined_column(enum dialect d, enum side side, const char *name);

/* Returns the type of an expression's SQL. */
enum sql_type sql_expr_type(const struct expr *e);
/* Returns the SQL of an expression, of that type; the caller's. */
char *sql_expr(const struct sql_scope *s, const struct expr *e);
/* Returns it as a key of another type: equal values are the same, as zero has one sign. */
char *sql_expr_as_key(const struct sql_scope *s, const struct expr *e, enum sql_type type);
/* Returns the type in which two expressions are compared. */
enum sql_type sql_common_type(const struct expr *a, const struct expr *b);
/* Returns whether an expression may have no value. */
bool sql_may_fault(const struct expr *e);

#endif
