/* What three engines write differently. */
#ifndef GLIMPSE_SQL_DIALECT_H
#define GLIMPSE_SQL_DIALECT_H

#include "spec/spec.h"
#include <stdio.h>

enum dialect { DIALECT_DUCKDB, DIALECT_POSTGRESQL, DIALECT_SPARK, NDIALECTS };

/* The types of values in a query. A wide number has room for all whole numbers of the language. */
enum sql_type { SQL_BOOLEAN, SQL_BIGINT, SQL_WIDE, SQL_DOUBLE, SQL_BYTES, NSQL_TYPES };

/* Returns the dialect's name: duckdb, postgresql, spark. */
const char *dialect_name(enum dialect d);
/* Returns the name of a type, as CAST takes it. */
const char *sql_type_name(enum dialect d, enum sql_type type);
/* Returns the name of the type that a column of an event has. */
const char *sql_column_type(enum dialect d, enum type type);
/* Returns which type a value of a column has in queries. */
enum sql_type sql_type_of(enum type type);

/*
 * Return a new string, which is the caller's: an identifier in the dialect's quotes; a constant; a
 * cast.
 */
char *sql_identifier(enum dialect d, const char *name);
char *sql_bytes(enum dialect d, const char *bytes, size_t n);
char *sql_text(enum dialect d, const char *text);
char *sql_cast(enum dialect d, const char *value, enum sql_type type);
/* Returns the operator that divides 64-bit whole numbers, towards zero. */
const char *sql_divide(enum dialect d);
/* Returns the same for a condition that a number is NaN. */
char *sql_is_nan(enum dialect d, const char *value);

#endif
