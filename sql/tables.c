#include "sql/tables.h"
#include "base/array.h"
#include <stdlib.h>

/*
 * The levels of folders in a table say its parts, as host=... and slice=...; these are no columns
 * of it.
 */
static void view_write(const struct query *q, const char *table, const char *path,
		       const char *files, FILE *out)
{
	char *name = sql_identifier(q->dialect, table), *all = text_format("%s%s", path, files);
	char *quoted = sql_text(q->dialect == DIALECT_SPARK ? path : all);

	if (q->dialect == DIALECT_SPARK)
		fprintf(out,
			"CREATE OR REPLACE TEMPORARY VIEW %s USING parquet OPTIONS (path %s, "
			"recursiveFileLookup 'true');\n",
			name, quoted);
	else
		fprintf(out,
			"CREATE OR REPLACE TEMP VIEW %s AS SELECT * FROM read_parquet(%s, "
			"hive_partitioning = false);\n",
			name, quoted);
	free(name);
	free(all);
	free(quoted);
}

void tables_write(const struct query *q, const char *directory, FILE *out)
{
	for (const char *const *t = sql_fixed_tables; *t; t++) {
		char *path = text_format("%s/%s", directory, *t);

		view_write(q, *t, path, "/*.parquet", out);
		free(path);
	}
	for (unsigned i = 0; i < q->spec->nevents; i++) {
		const char *table = query_event_table(q, q->spec->events[i]);
		char *path = text_format("%s/events/%s", directory, table);

		view_write(q, table, path, "/*/*/*.parquet", out);
		free(path);
	}
}
