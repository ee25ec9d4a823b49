#include "sql/grouped.h"
#include "base/array.h"
#include "match/plan/plan.h"
#include "sql/summary.h"
#include <stdlib.h>

static bool asks_anchor_alone(const struct grouped_by *by)
{
	for (unsigned i = 0; i < by->n; i++)
		if (expr_has(by->keys[i], EXPR_METRIC) ||
		    expr_sides(by->keys[i]) & 1 << SIDE_PARTNER)
			return false;
	return true;
}

/* Writes k0, k1, ..., each after what stands before it. */
static void keys_write(FILE *out, unsigned n, const char *before, const char *table)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(out, "%s%sk%u", i ? ", " : before, table, i);
}

/* The instances with their keys. If a key is NaN or has a fault, the instance is in no group. */
static char *members_write(struct query *q, const struct interval *i, const struct grouped_by *by)
{
	const struct query_interval *own = &q->intervals[i->index];
	struct sql_scope s = query_scope(q, own);
	char *name = text_format("%s_members", i->name), *members = query_expression(q, name);

	fputs("SELECT * FROM (SELECT partner_thread, abs(partner_time - anchor_time) AS duration",
	      q->with);
	for (unsigned k = 0; k < by->n; k++) {
		char *sql = sql_expr_as_key(&s, by->keys[k], sql_expr_type(by->keys[k]));

		fprintf(q->with, ",\n\t%s AS k%u", sql, k);
		free(sql);
	}
	fprintf(q->with, "\nFROM %s%s) AS m WHERE ", own->pairs,
		asks_anchor_alone(by) ? "" : " WHERE partner_thread IS NOT NULL");
	for (unsigned k = 0; k < by->n; k++) {
		char *column = text_format("k%u", k), *nan = sql_is_nan(q->dialect, column);

		fprintf(q->with, "%s%s IS NOT NULL", k ? " AND " : "", column);
		if (sql_expr_type(by->keys[k]) == SQL_DOUBLE)
			fprintf(q->with, " AND NOT %s", nan);
		free(column);
		free(nan);
	}
	fputs(")", q->with);
	free(name);
	return members;
}

/* How many durations of a group are at most each of them. */
static char *values_write(struct query *q, const struct interval *i, unsigned n,
			  const char *members)
{
	char *name = text_format("%s_member_values", i->name), *values = query_expression(q, name);
	const char *bigint = sql_type_name(q->dialect, SQL_BIGINT);

	keys_write(q->with, n, "SELECT ", "");
	fputs(", value,\n\tCAST(sum(times) OVER (", q->with);
	keys_write(q->with, n, "PARTITION BY ", "");
	fprintf(q->with, " ORDER BY value ROWS UNBOUNDED PRECEDING) AS %s) AS upto,\n\t", bigint);
	keys_write(q->with, n, "CAST(sum(times) OVER (PARTITION BY ", "");
	fprintf(q->with, ") AS %s) AS n\n", bigint);
	keys_write(q->with, n, "FROM (SELECT ", "");
	fprintf(q->with, ", duration AS value, count(*) AS times FROM %s\n", members);
	keys_write(q->with, n, "WHERE partner_thread IS NOT NULL GROUP BY ", "");
	fputs(", duration) AS g)", q->with);
	free(name);
	return values;
}

static char *quantiles_write(struct query *q, const struct interval *i, unsigned n,
			     const char *values)
{
	static const int percents[] = {50, 90, 99};
	char *name = text_format("%s_quantiles", i->name), *quantiles = query_expression(q, name);

	keys_write(q->with, n, "SELECT ", "");
	for (int k = 0; k < 3; k++) {
		char *rank = quantile_rank(q, percents[k] / 100.0);

		fprintf(q->with, ",\n\tmin(CASE WHEN upto >= %s THEN value END) AS p%d", rank,
			percents[k]);
		free(rank);
	}
	fprintf(q->with, "\nFROM %s", values);
	keys_write(q->with, n, " GROUP BY ", "");
	fputs(")", q->with);
	free(name);
	return quantiles;
}

static char *sums_write(struct query *q, const struct interval *i, unsigned n, const char *members)
{
	char *name = text_format("%s_group_sums", i->name), *sums = query_expression(q, name);

	keys_write(q->with, n, "SELECT ", "");
	fprintf(q->with,
		", count(partner_thread) AS matched,\n"
		"\tcount(*) - count(partner_thread) AS unmatched, min(duration) AS shortest,\n"
		"\tmax(duration) AS longest, sum(CAST(duration AS %s)) AS total\nFROM %s",
		sql_type_name(q->dialect, SQL_WIDE), members);
	keys_write(q->with, n, " GROUP BY ", "");
	fputs(")", q->with);
	free(name);
	return sums;
}

/* Returns the columns of the keys, by the names that they are asked for. */
static char *key_columns(const struct query *q, const struct grouped_by *by)
{
	char *columns = text_format("%s", "");

	for (unsigned k = 0; k < by->n; k++) {
		char *name = sql_identifier(q->dialect, by->names[k]),
		     *more = text_format("%ss.k%u AS %s, ", columns, k, name);

		free(columns);
		free(name);
		columns = more;
	}
	return columns;
}

static char *rows_select(const struct query *q, const struct interval *i,
			 const struct grouped_by *by, const char *sums, const char *quantiles)
{
	char *word = sql_identifier(q->dialect, "interval"), *columns = key_columns(q, by), *text;
	const char *real = sql_type_name(q->dialect, SQL_DOUBLE);
	char *unmatched = asks_anchor_alone(by) ? text_format("unmatched")
						: sql_cast(q->dialect, "NULL", SQL_BIGINT);
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		array_exhausted();
	fprintf(
	    out,
	    "SELECT '%s' AS %s, %smatched AS count, %s AS unmatched, shortest AS min,\n"
	    "\tCASE WHEN matched > 0 THEN CAST(total AS %s) / matched END AS mean, p50, p90, p99,\n"
	    "\tlongest AS max, total\nFROM %s AS s LEFT JOIN %s AS p ON ",
	    i->name, word, columns, unmatched, real, sums, quantiles);
	for (unsigned k = 0; k < by->n; k++)
		fprintf(out, "%sp.k%u = s.k%u", k ? " AND " : "", k, k);
	fclose(out);
	free(word);
	free(columns);
	free(unmatched);
	return text;
}

char *grouped_select(struct query *q, const struct interval *i, const struct grouped_by *by)
{
	char *members, *values, *quantiles, *sums, *select;

	if (!query_interval(q, i))
		return NULL;
	members = members_write(q, i, by);
	values = values_write(q, i, by->n, members);
	quantiles = quantiles_write(q, i, by->n, values);
	sums = sums_write(q, i, by->n, members);
	select = rows_select(q, i, by, sums, quantiles);
	free(members);
	free(values);
	free(quantiles);
	free(sums);
	return select;
}
