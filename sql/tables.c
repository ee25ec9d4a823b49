#include "sql/tables.h"
#include "base/array.h"
#include <stdlib.h>

static const char *column_type(enum column_type type)
{
	static const char *const names[] = {
	    [COLUMN_INTEGER] = "BIGINT", [COLUMN_UNSIGNED] = "DECIMAL(20,0)",
	    [COLUMN_DOUBLE] = "DOUBLE",  [COLUMN_BYTES] = "BINARY",
	    [COLUMN_TEXT] = "STRING",
	};

	return names[type];
}

static void columns_write(const struct table_columns *columns, FILE *out)
{
	for (size_t i = 0; i < columns->n; i++) {
		char *name = sql_identifier(DIALECT_SPARK, columns->at[i].name);

		fprintf(out, "%s%s %s", i ? ", " : " (", name, column_type(columns->at[i].type));
		free(name);
	}
	fputs(")", out);
}

/* The levels of folders in a table, host=... and slice=..., are no columns of it. */
static void spark_view_write(const char *table, const char *path,
			     const struct table_columns *columns, FILE *out)
{
	char *name = sql_identifier(DIALECT_SPARK, table), *quoted = sql_text(DIALECT_SPARK, path);

	fprintf(out, "CREATE OR REPLACE TEMPORARY VIEW %s", name);
	if (columns)
		columns_write(columns, out);
	fprintf(out, " USING parquet OPTIONS (path %s, recursiveFileLookup 'true');\n", quoted);
	free(name);
	free(quoted);
}

static void duckdb_view_write(const char *table, const char *path, const char *files, FILE *out)
{
	char *name = sql_identifier(DIALECT_DUCKDB, table), *all = text_format("%s%s", path, files);
	char *quoted = sql_text(DIALECT_DUCKDB, all);

	fprintf(out,
		"CREATE OR REPLACE TEMP VIEW %s AS SELECT * FROM read_parquet(%s, "
		"hive_partitioning = false);\n",
		name, quoted);
	free(name);
	free(all);
	free(quoted);
}

static void view_write(const struct query *q, const char *directory, const char *table,
		       const char *files, const struct table_columns *columns, FILE *out)
{
	char *path = text_format("%s/%s", directory, table);

	if (q->dialect == DIALECT_SPARK)
		spark_view_write(table, path, columns, out);
	else
		duckdb_view_write(table, path, files, out);
	free(path);
}

void tables_write(const struct query *q, const char *directory, bool known, FILE *out)
{
	char *events = text_format("%s/events", directory);

	view_write(q, directory, "trace", "/*.parquet", known ? &trace_columns : NULL, out);
	view_write(q, directory, "processes", "/*.parquet", known ? &process_columns : NULL, out);
	view_write(q, directory, "threads", "/*.parquet", known ? &thread_columns : NULL, out);
	for (unsigned i = 0; i < q->spec->nevents; i++) {
		struct table_columns columns = event_columns(q->spec->events[i]);

		view_write(q, events, q->tables.of_event[i], "/*/*/*.parquet",
			   known ? &columns : NULL, out);
		table_columns_free(&columns);
	}
	free(events);
}

char *tables_verify(const struct query *q)
{
	char *threads = sql_identifier(q->dialect, "threads"), *select;
	size_t size;
	FILE *out = open_memstream(&select, &size);

	if (!out)
		array_exhausted();
	fputs("SELECT t.thread, t.name, t.events, coalesce(c.n, 0) AS row_count, "
	      "coalesce(c.places, 0) AS places\nFROM ",
	      out);
	fprintf(out,
		"%s AS t LEFT JOIN (SELECT thread, count(*) AS n, count(DISTINCT seq) AS "
		"places FROM (",
		threads);
	for (unsigned i = 0; i < q->spec->nevents; i++)
		fprintf(out, "%sSELECT thread, seq FROM %s",
			i ? "\nUNION ALL "
			    ""
			  : "",
			q->event_tables[i]);
	fputs(") AS e GROUP BY thread) AS c ON c.thread = t.thread\n"
	      "WHERE coalesce(c.n, 0) <> t.events OR coalesce(c.places, 0) <> t.events\nORDER BY "
	      "t.thread",
	      out);
	fclose(out);
	free(threads);
	return select;
}
