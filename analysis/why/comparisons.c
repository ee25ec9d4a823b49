#include "analysis/why/comparisons.h"
#include "base/units.h"
#include "spec/measure.h"
#include "spec/print.h"
#include <math.h>
#include <stdlib.h>

/* ---- evaluation ---- */

static bool side_value(const struct expr *e, const struct binding *b, double *value)
{
	struct value v;

	if (!expr_value(e, b, &v) || (v.kind != VALUE_INT && v.kind != VALUE_REAL))
		return false;
	*value = value_real(&v);
	return true;
}

static bool is_of_numbers(const struct expr *e)
{
	return e->op >= EXPR_EQ && e->op <= EXPR_GE && e->left->kind != VALUE_BOOL &&
	       e->left->kind != VALUE_STRING;
}

bool comparisons_take(comparison_list *list, const struct expr *e, const struct binding *b)
{
	uint64_t faults = 0;
	struct tested_comparison c = {.expr = e};

	switch (e->op) {
	case EXPR_AND:
		return comparisons_take(list, e->left, b) && comparisons_take(list, e->right, b);
	case EXPR_OR:
		return comparisons_take(list, e->left, b) || comparisons_take(list, e->right, b);
	case EXPR_NOT:
		return !comparisons_take(list, e->left, b);
	default:
		break;
	}
	c.holds = expr_holds(e, b, &faults);
	if (!is_of_numbers(e))
		return c.holds;
	c.known = side_value(e->left, b, &c.left) && side_value(e->right, b, &c.right);
	*vector_add(list) = c;
	return c.holds;
}

/* ---- text ---- */

const struct test_measure *measure_in(const struct expr *e)
{
	const struct test_measure *m;

	if (!e)
		return NULL;
	if (e->op == EXPR_MEASURE)
		return e->measure;
	m = measure_in(e->left);
	return m ? m : measure_in(e->right);
}

/* `e` says what the value is of. */
static void measure_value_print(FILE *out, const struct expr *e, double value)
{
	const struct test_measure *m = measure_in(e);
	char cell[UNITS_TEXT];

	switch (m ? measure_unit(m->function) : MEASURE_SHARE) {
	case MEASURE_TIME:
		fputs(units_time(cell, value), out);
		break;
	case MEASURE_COUNT:
	case MEASURE_PER_SECOND:
		fputs(units_count(cell, (uint64_t)(value < 0 ? 0 : value + 0.5)), out);
		break;
	case MEASURE_SHARE:
		fprintf(out, "%.1f %%", 100 * value);
		break;
	}
}

/* What the value is of stands before it; a number that stands in the condition stands alone. */
static void side_print(FILE *out, const struct expr *side, const struct expr *of, double value,
		       bool known)
{
	if (measure_in(side)) {
		expr_print(side, NULL, out);
		fputs(" = ", out);
	}
	if (known)
		measure_value_print(out, of, value);
	else
		putc('-', out);
}

void comparison_print(FILE *out, const struct tested_comparison *c)
{
	static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
	const struct expr *e = c->expr, *of = measure_in(e->left) ? e->left : e->right;

	side_print(out, e->left, of, c->left, c->known);
	fprintf(out, "%s%s ", c->holds ? " " : ", not ", signs[e->op - EXPR_EQ]);
	side_print(out, e->right, of, c->right, c->known);
}
