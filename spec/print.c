#include "spec/print.h"
#include "base/json.h"
#include "base/visible.h"
#include "spec/measure.h"
#include <stdlib.h>
#include <string.h>

struct printer {
	FILE *out;
	const struct interval *interval;
};

/* The text of an operator, and how tightly it binds: an operand that binds less needs brackets. */
static const struct {
	const char *text;
	int binding;
} operators[] = {
    [EXPR_OR] = {" || ", 1}, [EXPR_AND] = {" && ", 2}, [EXPR_EQ] = {" == ", 3},
    [EXPR_NE] = {" != ", 3}, [EXPR_LT] = {" < ", 4},   [EXPR_LE] = {" <= ", 4},
    [EXPR_GT] = {" > ", 4},  [EXPR_GE] = {" >= ", 4},  [EXPR_ADD] = {" + ", 5},
    [EXPR_SUB] = {" - ", 5}, [EXPR_MUL] = {" * ", 6},  [EXPR_DIV] = {" / ", 6},
    [EXPR_MOD] = {" % ", 6}, [EXPR_NOT] = {"!", 7},    [EXPR_NEGATE] = {"-", 7},
};
enum { BINDING_LEAF = 8 };

const char *end_name(const struct interval *interval, enum side side)
{
	const struct interval_end *end = &interval->anchor;

	if (side == SIDE_PARTNER)
		end = &interval->partner;
	return end->alias ? end->alias : end->event ? end->event->name : end->interval->name;
}

static void print_string(FILE *out, const char *bytes, uint32_t length)
{
	putc('"', out);
	for (size_t i = 0, n; i < length; i += n) {
		char escape[VISIBLE_ESCAPE];

		if (bytes[i] == '"' || bytes[i] == '\\')
			putc('\\', out);
		n = visible_length(bytes + i, length - i);
		if (n) {
			fwrite(bytes + i, 1, n, out);
			continue;
		}
		n = visible_escape(escape, bytes + i, length - i);
		fputs(escape, out);
	}
	putc('"', out);
}

static void print_magnitude(FILE *out, unsigned __int128 n)
{
	char digits[40], *p = digits + sizeof digits;

	*--p = '\0';
	do {
		*--p = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	fputs(p, out);
}

/* Prints an integer in the largest unit that leaves no fraction. */
static void print_integer(FILE *out, __int128 n, enum unit unit)
{
	static const struct {
		const char *name;
		int64_t size;
	} units[][4] = {
	    [UNIT_TIME] = {{" s", 1000000000}, {" ms", 1000000}, {" us", 1000}, {" ns", 1}},
	    [UNIT_BYTES] = {{" GiB", 1 << 30}, {" MiB", 1 << 20}, {" KiB", 1 << 10}, {"", 1}},
	};
	const char *suffix = "";

	for (int i = 0; unit != UNIT_NONE && i < 4; i++)
		if (n % units[unit][i].size == 0 && (n || units[unit][i].size == 1)) {
			n /= units[unit][i].size;
			suffix = units[unit][i].name;
			break;
		}
	if (n < 0)
		putc('-', out);
	print_magnitude(out, n < 0 ? -(unsigned __int128)n : (unsigned __int128)n);
	fputs(suffix, out);
}

/* Prints a double in the shortest form that reads back the same. */
static void print_real(FILE *out, double x)
{
	struct json j = json_begin(out, 0);

	json_real(&j, NULL, x);
}

static void print_constant(const struct printer *p, const struct expr *e)
{
	switch (e->constant.kind) {
	case VALUE_BOOL:
		fputs(e->constant.truth ? "true" : "false", p->out);
		break;
	case VALUE_INT:
		print_integer(p->out, e->constant.integer, e->unit);
		break;
	case VALUE_REAL:
		print_real(p->out, e->constant.real);
		fputs(e->unit == UNIT_TIME ? " ns" : "", p->out);
		break;
	case VALUE_STRING:
		print_string(p->out, e->constant.string.bytes, e->constant.string.length);
	}
}

static void print_function(FILE *out, const struct aggregate *a)
{
	static const char *const names[] = {
	    [AGGREGATE_COUNT] = "count", [AGGREGATE_UNMATCHED] = "unmatched",
	    [AGGREGATE_MIN] = "min",     [AGGREGATE_MAX] = "max",
	    [AGGREGATE_MEAN] = "mean",   [AGGREGATE_SUM] = "sum",
	    [AGGREGATE_RATE] = "rate",
	};

	if (a->function == AGGREGATE_QUANTILE)
		fprintf(out, "p%.10g", a->quantile * 100);
	else
		fputs(names[a->function], out);
}

static void print_aggregate(FILE *out, const struct aggregate *a)
{
	bool counts = a->function == AGGREGATE_COUNT || a->function == AGGREGATE_UNMATCHED ||
		      a->function == AGGREGATE_RATE;

	print_function(out, a);
	fprintf(out, "(%s", a->interval ? a->interval->name : a->event->name);
	if (a->metric)
		fprintf(out, ".%s", a->metric->name);
	else if (a->interval && !counts)
		fputs(".time", out);
	else if (a->event && a->attribute >= 0)
		fprintf(out, ".%s", a->event->attributes[a->attribute].name);
	putc(')', out);
}

static void print_selector(FILE *out, const char *key, const char *text, const char **comma)
{
	if (!text)
		return;
	fprintf(out, "%s%s ", *comma, key);
	print_string(out, text, (uint32_t)strlen(text));
	*comma = ", ";
}

static void print_measure(FILE *out, const struct test_measure *m)
{
	const char *comma = "";

	fprintf(out, "%s(", measure_name(m->function));
	if (m->exact) {
		fputs(m->exact->name, out);
		comma = ", ";
		if (m->condition) {
			fputs("[where ", out);
			expr_print(m->condition, m->exact, out);
			putc(']', out);
		}
	}
	print_selector(out, "kind", m->kind ? interval_kind_name(m->kind) : NULL, &comma);
	print_selector(out, "state", m->state, &comma);
	print_selector(out, "label", m->label, &comma);
	print_selector(out, "object", m->object, &comma);
	print_selector(out, "interval", m->interval, &comma);
	print_selector(out, "event", m->event, &comma);
	putc(')', out);
}

static void print_leaf(const struct printer *p, const struct expr *e)
{
	if (e->op == EXPR_CONSTANT)
		print_constant(p, e);
	else if (e->op == EXPR_DURATION)
		fputs("time", p->out);
	else if (e->op == EXPR_METRIC)
		fputs(e->metric->name, p->out);
	else if (e->op == EXPR_AGGREGATE)
		print_aggregate(p->out, e->aggregate);
	else if (e->op == EXPR_MEASURE)
		print_measure(p->out, e->measure);
	else
		fprintf(p->out, "%s.%s", end_name(p->interval, e->side),
			e->op == EXPR_TIME      ? "time"
			: e->op == EXPR_THREAD  ? "thread"
			: e->op == EXPR_OWNER   ? "owner"
			: e->op == EXPR_PROCESS ? "process"
						: e->event->attributes[e->attribute].name);
}

static void print_expr(const struct printer *p, const struct expr *e, int least)
{
	int binding = e->op < EXPR_NOT ? BINDING_LEAF : operators[e->op].binding;

	if (binding < least)
		putc('(', p->out);
	if (binding == BINDING_LEAF) {
		print_leaf(p, e);
	} else if (!e->right) {
		fputs(operators[e->op].text, p->out);
		print_expr(p, e->left, binding);
	} else {
		print_expr(p, e->left, binding);
		fputs(operators[e->op].text, p->out);
		print_expr(p, e->right, binding + 1);
	}
	if (binding < least)
		putc(')', p->out);
}

void expr_print(const struct expr *e, const struct interval *interval, FILE *out)
{
	print_expr(&(struct printer){out, interval}, e, 0);
}

char *expr_text(const struct expr *e, const struct interval *interval)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	expr_print(e, interval, out);
	fclose(out);
	return text;
}
