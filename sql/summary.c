#include "sql/summary.h"
#include "match/stats/assertions.h"
#include "spec/print.h"
#include "trace/trace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- quantiles ---- */

/* Writes values and how many are at most each of them; from: a SELECT of a column `value`. */
static char *values_write(struct query *q, const char *name, const char *from)
{
	char *whole = text_format("%s_values", name), *values = query_expression(q, whole);
	const char *bigint = sql_type_name(q->dialect, SQL_BIGINT);

	fprintf(
	    q->with,
	    "SELECT value, CAST(sum(times) OVER (ORDER BY value ROWS BETWEEN UNBOUNDED PRECEDING "
	    "AND "
	    "CURRENT ROW) AS %s) AS upto,\n\tCAST(sum(times) OVER () AS %s) AS n\n"
	    "FROM (SELECT value, count(*) AS times FROM (%s) AS v GROUP BY value) AS g)",
	    bigint, bigint, from);
	free(whole);
	return values;
}

char *quantile_rank(const struct query *q, double quantile)
{
	return text_format("least(n, greatest(1, (n * %lld + 999999) %s 1000000))",
			   llround(quantile * 1e6), sql_divide(q->dialect));
}

static char *quantile_sql(const struct query *q, const char *values, double quantile)
{
	char *rank = quantile_rank(q, quantile),
	     *sql = text_format("(SELECT min(value) FROM %s WHERE upto >= %s)", values, rank);

	free(rank);
	return sql;
}

/* ---- statistics ---- */

char *stats_select(struct query *q, const struct interval *i)
{
	static const double quantiles[] = {0.5, 0.9, 0.99};
	const struct query_interval *own = query_interval(q, i);
	char *from, *values, *sums, *name, *q50, *q90, *q99, *select, *word;

	if (!own)
		return NULL;
	from = text_format("SELECT duration AS value FROM %s WHERE partner_thread IS NOT NULL",
			   own->name);
	values = values_write(q, i->name, from);
	name = text_format("%s_sums", i->name);
	sums = query_expression(q, name);
	fprintf(q->with,
		"SELECT count(partner_thread) AS matched, count(*) - count(partner_thread) AS "
		"unmatched, "
		"min(duration) AS shortest,\n\tmax(duration) AS longest, sum(CAST(duration AS %s)) "
		"AS total "
		"FROM %s)",
		sql_type_name(q->dialect, SQL_WIDE), own->name);
	q50 = quantile_sql(q, values, quantiles[0]);
	q90 = quantile_sql(q, values, quantiles[1]);
	q99 = quantile_sql(q, values, quantiles[2]);
	word = sql_identifier(q->dialect, "interval");
	select =
	    text_format("SELECT '%s' AS %s, matched AS count, unmatched, shortest AS min,\n"
			"\tCASE WHEN matched > 0 THEN CAST(total AS %s) / matched END AS mean,\n"
			"\t%s AS p50,\n\t%s AS p90,\n\t%s AS p99,\n"
			"\tlongest AS max, total FROM %s",
			i->name, word, sql_type_name(q->dialect, SQL_DOUBLE), q50, q90, q99, sums);
	free(from);
	free(values);
	free(name);
	free(sums);
	free(q50);
	free(q90);
	free(q99);
	free(word);
	return select;
}

/* ---- aggregates ---- */

static void refuse(struct query *q, const char *why)
{
	if (!q->refusal)
		q->refusal = text_format("%s", why);
}

/* A SELECT of the values that an aggregate is of; NULL after a refusal. */
static char *values_of(struct query *q, const struct aggregate *a, enum sql_type *type)
{
	const struct query_interval *own = a->interval ? query_interval(q, a->interval) : NULL;
	char *name, *select;

	if (a->interval && !own)
		return NULL;
	if (a->interval && !a->metric) {
		*type = SQL_BIGINT;
		return text_format(
		    "SELECT duration AS value FROM %s WHERE partner_thread IS NOT NULL", own->name);
	}
	if (a->interval) {
		struct field_names names = query_metric_names(a->interval);

		*type = sql_expr_type(a->metric->value);
		name = sql_identifier(
		    q->dialect, names.names[QUERY_COLUMNS + (a->metric - a->interval->metrics)]);
		select = text_format("SELECT %s AS value FROM %s WHERE %s IS NOT NULL", name,
				     own->name, name);
		field_names_free(&names);
	} else {
		struct sql_end end = sql_end_of(a->event);

		*type = sql_type_of(a->event->attributes[a->attribute].type);
		name = sql_identifier(q->dialect, sql_attribute_name(&end, a->attribute));
		select = text_format("SELECT %s AS value FROM %s AS e", name,
				     q->event_tables[a->event->index]);
		sql_end_free(&end);
	}
	free(name);
	return select;
}

static char *without_nan(const struct query *q, char *values)
{
	char *nan = sql_is_nan(q->dialect, "value");
	char *select = text_format("SELECT value FROM (%s) AS r WHERE NOT %s", values, nan);

	free(nan);
	free(values);
	return select;
}

/* Of sums: whole numbers are exact; a double depends on the order in which values are added. */
static char *sum_sql(struct query *q, const struct aggregate *a, enum sql_type type,
		     const char *values)
{
	const char *wide =
	    q->dialect == DIALECT_SPARK ? "DECIMAL(38,0)" : sql_type_name(q->dialect, SQL_WIDE);

	if (type == SQL_DOUBLE) {
		refuse(
		    q,
		    "a sum or mean of doubles depends on the order in which an engine adds them");
		return NULL;
	}
	if (a->function == AGGREGATE_SUM)
		return text_format("(SELECT coalesce(sum(CAST(value AS %s)), 0) FROM (%s) AS s)",
				   wide, values);
	return text_format(
	    "(SELECT CASE WHEN count(*) > 0 THEN CAST(sum(CAST(value AS %s)) AS %s) / count(*) END "
	    "FROM (%s) AS s)",
	    wide, sql_type_name(q->dialect, SQL_DOUBLE), values);
}

static char *series_sql(struct query *q, const struct aggregate *a)
{
	enum sql_type type;
	char *values = values_of(q, a, &type), *expression, *sql;

	if (!values)
		return NULL;
	if (type == SQL_WIDE) {
		refuse(q, "an aggregate of unsigned numbers of 64 bits, which glimpse may take for "
			  "doubles");
		free(values);
		return NULL;
	}
	if (type == SQL_DOUBLE)
		values = without_nan(q, values);
	switch (a->function) {
	case AGGREGATE_MIN:
	case AGGREGATE_MAX:
		sql = text_format("(SELECT %s(value) FROM (%s) AS s)",
				  a->function == AGGREGATE_MIN ? "min" : "max", values);
		break;
	case AGGREGATE_SUM:
	case AGGREGATE_MEAN:
		sql = sum_sql(q, a, type, values);
		break;
	default:
		expression =
		    values_write(q, a->interval ? a->interval->name : a->event->name, values);
		sql = quantile_sql(q, expression, a->quantile);
		free(expression);
	}
	free(values);
	return sql;
}

static char *count_sql(struct query *q, const struct aggregate *a)
{
	const struct query_interval *own = a->interval ? query_interval(q, a->interval) : NULL;

	if (a->event)
		return text_format("(SELECT count(*) FROM %s AS e)",
				   q->event_tables[a->event->index]);
	if (!own)
		return NULL;
	if (a->function == AGGREGATE_UNMATCHED)
		return text_format("(SELECT count(*) - count(partner_thread) FROM %s)", own->name);
	return text_format("(SELECT count(partner_thread) FROM %s)", own->name);
}

static char *rate_sql(struct query *q, const struct aggregate *a)
{
	char *count = count_sql(q, a), *trace = sql_identifier(q->dialect, "trace"), *sql;
	const char *real = sql_type_name(q->dialect, SQL_DOUBLE);

	if (q->windowed)
		refuse(q, "a rate is of the whole trace, not of a window");
	if (!count) {
		free(trace);
		return NULL;
	}
	sql = text_format(
	    "CAST(%s AS %s) / (SELECT CASE WHEN duration > 0 THEN CAST(duration AS %s) / "
	    "CAST('1e9' AS %s) END FROM %s)",
	    count, real, real, real, trace);
	free(count);
	free(trace);
	return sql;
}

/* For struct sql_scope; context: the query. */
static char *aggregate_sql(void *context, const struct aggregate *a)
{
	struct query *q = context;
	char *sql;

	switch (a->function) {
	case AGGREGATE_COUNT:
	case AGGREGATE_UNMATCHED:
		sql = count_sql(q, a);
		break;
	case AGGREGATE_RATE:
		sql = rate_sql(q, a);
		break;
	default:
		sql = series_sql(q, a);
	}
	return sql ? sql : text_format("NULL");
}

/* ---- assertions ---- */

static char *instances_check(struct query *q, const struct assertion *a, const char *text)
{
	const struct query_interval *own = query_interval(q, a->interval);
	const char *broken = "coalesce(sum(CASE WHEN %s THEN 0 ELSE 1 END), 0)";
	char *condition, *violated, *sql;
	struct sql_scope s;

	if (!own)
		return NULL;
	s = query_scope(q, own);
	condition = sql_expr(&s, a->condition);
	violated = text_format(broken, condition);
	sql = text_format(
	    "SELECT %s AS assertion, %s = 0 AS holds, count(*) AS instances, %s AS violated\n"
	    "FROM %s WHERE partner_thread IS NOT NULL",
	    text, violated, violated, own->pairs);
	free(condition);
	free(violated);
	return sql;
}

static char *run_check(struct query *q, const struct assertion *a, const char *text)
{
	struct sql_scope s = {.dialect = q->dialect, .aggregate = aggregate_sql, .context = q};
	char *condition = sql_expr(&s, a->condition), *sql;
	const char *bigint = sql_type_name(q->dialect, SQL_BIGINT);

	sql = q->refusal
		  ? NULL
		  : text_format(
			"SELECT %s AS assertion, coalesce(%s, FALSE) AS holds, CAST(NULL AS %s) AS "
			"instances, CAST(NULL AS %s) AS violated",
			text, condition, bigint, bigint);
	free(condition);
	return sql;
}

char *check_select(struct query *q, const struct assertion *a)
{
	char *plain = assertion_text(a), *text = sql_text(q->dialect, plain), *sql;

	sql = a->interval ? instances_check(q, a, text) : run_check(q, a, text);
	free(plain);
	free(text);
	return sql;
}
