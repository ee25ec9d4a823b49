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
	char *quoted = sql_text(q->dialect, q->dialect == DIALECT_SPARK ? path : all);

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
	size_t fixed = (size_t)(q->tables.of_event - (const char *const *)q->tables.names.names);

	for (size_t i = 0; i < q->tables.names.n; i++) {
		const char *table = q->tables.names.names[i];
		char *path = text_format("%s/%s%s", directory, i < fixed ? "" : "events/", table);

		view_write(q, table, path, i < fixed ? "/*.parquet" : "/*/*/*.parquet", out);
		free(path);
	}
}
