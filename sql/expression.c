#include "sql/expression.h"
#include "base/array.h"
#include "spec/range.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- ends ---- */

struct sql_end sql_end_of(const struct event_type *e)
{
	struct sql_end end = {.event = e, .columns = event_columns(e)};

	end.owner = field_name_add(&end.columns.names, "owner");
	end.process = field_name_add(&end.columns.names, "process");
	return end;
}

void sql_end_free(struct sql_end *e)
{
	table_columns_free(&e->columns);
	*e = (struct sql_end){0};
}

const char *sql_attribute_name(const struct sql_end *end, unsigned attribute)
{
	return end->columns.at[EVENT_COLUMNS + attribute].name;
}

const char *sql_leaf_name(const struct sql_end *end, const struct expr *leaf)
{
	switch (leaf->op) {
	case EXPR_TIME:
		return end->columns.at[END_TIME].name;
	case EXPR_THREAD:
		return end->columns.at[END_THREAD].name;
	case EXPR_OWNER:
		return end->owner;
	case EXPR_PROCESS:
		return end->process;
	default:
		return sql_attribute_name(end, leaf->attribute);
	}
}

char *sql_joined_column(enum dialect d, enum side side, const char *name)
{
	char *whole = text_format("%s_%s", side == SIDE_ANCHOR ? "anchor" : "partner", name);
	char *quoted = sql_identifier(d, whole);

	free(whole);
	return quoted;
}

/* ---- types ---- */

static bool range_is_narrow(struct range r)
{
	return r.low >= INT64_MIN && r.high <= INT64_MAX;
}

enum sql_type sql_expr_type(const struct expr *e)
{
	if (e->op == EXPR_METRIC)
		return sql_expr_type(e->metric->value);
	switch (e->kind) {
	case VALUE_BOOL:
		return SQL_BOOLEAN;
	case VALUE_REAL:
		return SQL_DOUBLE;
	case VALUE_STRING:
		return SQL_BYTES;
	default:
		return range_is_narrow(expr_range(e)) ? SQL_BIGINT : SQL_WIDE;
	}
}

bool sql_may_fault(const struct expr *e)
{
	if (e->op == EXPR_METRIC)
		return sql_may_fault(e->metric->value);
	if (e->op == EXPR_AGGREGATE)
		return true;
	if (expr_is_constant(e)) {
		struct value v;

		return !expr_value(e, &(struct binding){0}, &v);
	}
	if ((e->left && sql_may_fault(e->left)) || (e->right && sql_may_fault(e->right)))
		return true;
	if (e->kind == VALUE_INT)
		return expr_range(e).faults;
	return e->op == EXPR_DIV;
}

/* ---- leaves ---- */

static char *leaf_sql(const struct sql_scope *s, const struct expr *e)
{
	const struct sql_end *end = &s->ends[e->side];
	const char *name = sql_leaf_name(end, e);
	char *column, *sql;

	if (s->joined)
		return sql_joined_column(s->dialect, e->side, name);
	if (e->op == EXPR_OWNER)
		return text_format("t.owner");
	if (e->op == EXPR_PROCESS)
		return text_format("t.process");
	column = sql_identifier(s->dialect, name);
	sql = text_format("e.%s", column);
	free(column);
	return sql;
}

static char *integer_sql(const struct sql_scope *s, __int128 n, enum sql_type type)
{
	unsigned __int128 magnitude = n < 0 ? -(unsigned __int128)n : (unsigned __int128)n;
	char *digits = text_format("%s%" PRIu64, n < 0 ? "-" : "", (uint64_t)magnitude), *sql;

	if (type == SQL_BIGINT && magnitude < INT32_MAX)
		return digits;
	sql = text_format("CAST('%s' AS %s)", digits, sql_type_name(s->dialect, type));
	free(digits);
	return sql;
}

static char *constant_sql(const struct sql_scope *s, const struct expr *e)
{
	enum sql_type type = sql_expr_type(e);
	struct value v;

	if (!expr_value(e, &(struct binding){0}, &v))
		return sql_cast(s->dialect, "NULL", type);
	switch (v.kind) {
	case VALUE_BOOL:
		return text_format(v.truth ? "TRUE" : "FALSE");
	case VALUE_REAL:
		return text_format("CAST('%.17g' AS %s)", v.real,
				   sql_type_name(s->dialect, SQL_DOUBLE));
	case VALUE_STRING:
		return sql_bytes(s->dialect, v.string.bytes, v.string.length);
	default:
		return integer_sql(s, v.integer, type);
	}
}

/* ---- arithmetic ---- */

/* The condition that a wide number is one of the language. */
static char *is_in_range(const struct sql_scope *s, const char *number)
{
	char *low = integer_sql(s, INTEGER_MIN, SQL_WIDE),
	     *high = integer_sql(s, INTEGER_MAX, SQL_WIDE);
	char *sql = text_format("%s BETWEEN %s AND %s", number, low, high);

	free(low);
	free(high);
	return sql;
}

/* Keeps a number in the range of the language. Takes the text over. */
static char *in_range(const struct sql_scope *s, char *number)
{
	char *check = is_in_range(s, number),
	     *sql = text_format("CASE WHEN %s THEN %s END", check, number);

	free(check);
	free(number);
	return sql;
}

/* The product of wide numbers, which may have more than 128 bits. */
static char *wide_product(const struct sql_scope *s, const char *a, const char *b)
{
	switch (s->dialect) {
	case DIALECT_DUCKDB:
		return text_format(
		    "CASE WHEN abs(CAST(%s AS DOUBLE) * CAST(%s AS DOUBLE)) < 1e20 THEN %s * %s "
		    "END",
		    a, b, a, b);
	case DIALECT_SPARK:
		return text_format("try_multiply(%s, %s)", a, b);
	default:
		return text_format("(%s * %s)", a, b);
	}
}

/* A quotient towards zero, of numbers that are not zero. */
static char *quotient(const struct sql_scope *s, enum sql_type type, const char *a, const char *b)
{
	if (type == SQL_BIGINT || s->dialect == DIALECT_DUCKDB)
		return text_format("(%s %s %s)", a, sql_divide(s->dialect), b);
	if (s->dialect == DIALECT_POSTGRESQL)
		return text_format("div(%s, %s)", a, b);
	return text_format("((%s - %s %% %s) / %s)", a, a, b, b);
}

static char *integer_operation(const struct sql_scope *s, const struct expr *e, enum sql_type type,
			       const char *a, const char *b)
{
	char *inner, *sql;

	switch (e->op) {
	case EXPR_ADD:
		return text_format("(%s + %s)", a, b);
	case EXPR_SUB:
		return text_format("(%s - %s)", a, b);
	case EXPR_MUL:
		return type == SQL_WIDE ? wide_product(s, a, b) : text_format("(%s * %s)", a, b);
	case EXPR_DIV:
		inner = quotient(s, type, a, b);
		sql = text_format("CASE WHEN %s <> 0 THEN %s END", b, inner);
		free(inner);
		return sql;
	default: /* the smallest number has no remainder by -1, which engines may refuse to say */
		return text_format(
		    "CASE WHEN %s = -1 AND %s IS NOT NULL THEN 0 WHEN %s <> 0 THEN %s %% %s END", b,
		    a, b, a, b);
	}
}

/* Returns the SQL of an expression as another type: numbers become wider. */
static char *sql_expr_as(const struct sql_scope *s, const struct expr *e, enum sql_type type);

static bool is_sum(const struct expr *e)
{
	return e->kind == VALUE_INT && !expr_is_constant(e) &&
	       (e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_NEGATE);
}

static bool is_wide(const struct expr *e)
{
	return sql_expr_type(e) == SQL_WIDE;
}

/*
 * Whether a sum, product or quotient needs more than 64 bits: also one that is checked, and has 64
 * bits then.
 */
static bool is_computed_wide(const struct expr *e)
{
	return is_wide(e) || is_wide(e->left) || (e->right && is_wide(e->right)) ||
	       (e->op != EXPR_DIV && e->op != EXPR_MOD && expr_range(e).faults);
}

/*
 * Writes a sum as it is, and what must hold of its steps to checks. Each of the terms is there
 * once: checked step by step, a long sum would have each of them as often as there are subsets of
 * the others.
 */
static char *sum_unchecked(const struct sql_scope *s, const struct expr *e, FILE *checks)
{
	char *a, *b, *sql;

	while (e->op == EXPR_METRIC)
		e = e->metric->value;
	if (!is_sum(e) || !is_computed_wide(e))
		return sql_expr_as(s, e, SQL_WIDE);
	a = sum_unchecked(s, e->left, checks);
	b = e->right ? sum_unchecked(s, e->right, checks) : NULL;
	sql = b ? text_format("(%s %s %s)", a, e->op == EXPR_ADD ? "+" : "-", b)
		: text_format("(- %s)", a);
	if (expr_range(e).faults) {
		char *check = is_in_range(s, sql);

		fprintf(checks, "%s%s", ftell(checks) ? " AND " : "", check);
		free(check);
	}
	free(a);
	free(b);
	return sql;
}

static char *wide_sum(const struct sql_scope *s, const struct expr *e)
{
	char *checks, *sum, *value, *sql;
	size_t size;
	FILE *out = open_memstream(&checks, &size);

	sum = sum_unchecked(s, e, out);
	fclose(out);
	value = sql_cast(s->dialect, sum, sql_expr_type(e));
	if (size) {
		sql = text_format("CASE WHEN %s THEN %s END", checks, value);
		free(value);
		value = sql;
	}
	free(checks);
	free(sum);
	return value;
}

static char *integer_arithmetic(const struct sql_scope *s, const struct expr *e)
{
	enum sql_type own = sql_expr_type(e), type = is_computed_wide(e) ? SQL_WIDE : own;
	char *a, *b, *sql, *whole;

	if (is_sum(e) && type == SQL_WIDE)
		return wide_sum(s, e);
	a = sql_expr_as(s, e->left, type);
	b = e->right ? sql_expr_as(s, e->right, type) : NULL;
	sql = b ? integer_operation(s, e, type, a, b) : text_format("(- %s)", a);
	free(a);
	free(b);
	if (type == SQL_WIDE) {
		whole = sql_cast(s->dialect, sql, SQL_WIDE);
		free(sql);
		sql = expr_range(e).faults ? in_range(s, whole) : whole;
	}
	if (type != own) {
		whole = sql_cast(s->dialect, sql, own);
		free(sql);
		sql = whole;
	}
	return sql;
}

static char *real_arithmetic(const struct sql_scope *s, const struct expr *e)
{
	static const char *const formats[] = {
	    [EXPR_ADD] = "(%s + %s)",
	    [EXPR_SUB] = "(%s - %s)",
	    [EXPR_MUL] = "(%s * %s)",
	};
	char *a = sql_expr_as(s, e->left, SQL_DOUBLE),
	     *b = e->right ? sql_expr_as(s, e->right, SQL_DOUBLE) : NULL, *sql;

	if (!b)
		sql = text_format("(- %s)", a);
	else if (e->op == EXPR_DIV)
		sql = text_format("CASE WHEN %s <> 0 THEN %s / %s END", b, a, b);
	else
		sql = text_format(formats[e->op], a, b);
	free(a);
	free(b);
	return sql;
}

/* ---- conditions ---- */

/* Engines take NaN for the greatest number, and for equal to itself. */
static char *real_comparison(const struct sql_scope *s, const struct expr *e, const char *a,
			     const char *b, const char *operator)
{
	bool of_right = e->op == EXPR_LT || e->op == EXPR_LE;
	char *nan = sql_is_nan(s->dialect, of_right ? b : a);
	char *sql = text_format(e->op == EXPR_NE ? "(%s %s %s OR %s)" : "(%s %s %s AND NOT %s)",
				a, operator, b, nan);

	free(nan);
	if (sql_may_fault(e->left) || sql_may_fault(e->right)) {
		char *whole = text_format("CASE WHEN %s IS NOT NULL AND %s IS NOT NULL THEN %s END",
					  a, b, sql);

		free(sql);
		sql = whole;
	}
	return sql;
}

enum sql_type sql_common_type(const struct expr *a, const struct expr *b)
{
	enum sql_type left = sql_expr_type(a), right = sql_expr_type(b);

	return left > right ? left : right;
}

static char *comparison(const struct sql_scope *s, const struct expr *e)
{
	static const char *const operators[] = {
	    [EXPR_EQ] = "=",  [EXPR_NE] = "<>", [EXPR_LT] = "<",
	    [EXPR_LE] = "<=", [EXPR_GT] = ">",  [EXPR_GE] = ">=",
	};
	enum sql_type type = sql_common_type(e->left, e->right);
	char *a = sql_expr_as(s, e->left, type), *b = sql_expr_as(s, e->right, type), *sql;

	sql = type == SQL_DOUBLE ? real_comparison(s, e, a, b, operators[e->op])
				 : text_format("(%s %s %s)", a, operators[e->op], b);
	free(a);
	free(b);
	return sql;
}

/* A fault of the left side is one of the whole, whatever the right side is. */
static char *logic(const struct sql_scope *s, const struct expr *e)
{
	bool faults = sql_may_fault(e->left);
	char *a = sql_expr(s, e->left), *b = sql_expr(s, e->right), *sql;

	if (e->op == EXPR_AND)
		sql = faults
			  ? text_format("CASE WHEN %s THEN %s WHEN NOT %s THEN FALSE END", a, b, a)
			  : text_format("(%s AND %s)", a, b);
	else
		sql = faults
			  ? text_format("CASE WHEN %s THEN TRUE WHEN NOT %s THEN %s END", a, a, b)
			  : text_format("(%s OR %s)", a, b);
	free(a);
	free(b);
	return sql;
}

static char *negation(const struct sql_scope *s, const struct expr *e)
{
	char *inner = sql_expr(s, e->left), *sql = text_format("(NOT %s)", inner);

	free(inner);
	return sql;
}

/* ---- all ---- */

static char *duration(const struct sql_scope *s)
{
	char *anchor = sql_joined_column(s->dialect, SIDE_ANCHOR, "time");
	char *partner = sql_joined_column(s->dialect, SIDE_PARTNER, "time");
	char *sql = text_format("abs(%s - %s)", partner, anchor);

	free(anchor);
	free(partner);
	return sql;
}

char *sql_expr(const struct sql_scope *s, const struct expr *e)
{
	if (e->op == EXPR_METRIC)
		return sql_expr(s, e->metric->value);
	if (e->op == EXPR_AGGREGATE)
		return s->aggregate(s->context, e->aggregate);
	if (e->op == EXPR_DURATION)
		return duration(s);
	if (expr_is_of_side(e->op))
		return leaf_sql(s, e);
	if (expr_is_constant(e))
		return constant_sql(s, e);
	if (e->op == EXPR_NOT)
		return negation(s, e);
	if (e->op == EXPR_AND || e->op == EXPR_OR)
		return logic(s, e);
	if (e->kind == VALUE_BOOL)
		return comparison(s, e);
	return e->kind == VALUE_REAL ? real_arithmetic(s, e) : integer_arithmetic(s, e);
}

static char *sql_expr_as(const struct sql_scope *s, const struct expr *e, enum sql_type type)
{
	char *sql, *cast;

	if (e->kind == VALUE_INT && type != SQL_DOUBLE && expr_is_constant(e)) {
		struct value v;

		if (expr_value(e, &(struct binding){0}, &v))
			return integer_sql(s, v.integer, type);
	}
	sql = sql_expr(s, e);
	/* an unsigned column has a type of its own */
	if (sql_expr_type(e) == type && !(type == SQL_WIDE && expr_is_of_side(e->op)))
		return sql;
	cast = sql_cast(s->dialect, sql, type);
	free(sql);
	return cast;
}

char *sql_expr_as_key(const struct sql_scope *s, const struct expr *e, enum sql_type type)
{
	char *value = sql_expr_as(s, e, type), *sql;

	if (type != SQL_DOUBLE)
		return value;
	sql = text_format("(%s + CAST('0' AS %s))", value, sql_type_name(s->dialect, SQL_DOUBLE));
	free(value);
	return sql;
}
