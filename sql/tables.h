/* The tables that `glimpse export --format=parquet` wrote, as views. */
#ifndef GLIMPSE_SQL_TABLES_H
#define GLIMPSE_SQL_TABLES_H

#include "sql/query.h"

/*
 * Writes statements that make a view of each table of a directory, which all queries of the dialect
 * can ask. Not for PostgreSQL, which reads no Parquet. known: the tables are sure to have these
 * columns; then Spark need not look into each of them first.
 */
void tables_write(const struct query *q, const char *directory, bool known, FILE *out);

/*
 * Returns the query for threads with missing or duplicate rows: thread, name, events
 * (how many it has), row_count and places (how many of these differ); the caller's. No row: the
 * tables are whole. All events must be in the query's specification.
 */
char *tables_verify(const struct query *q);

#endif
