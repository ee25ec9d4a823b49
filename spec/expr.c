#include "spec/expr.h"
#include "base/array.h"
#include "spec/layout.h"
#include "spec/spec.h"
#include <stdlib.h>
#include <string.h>

struct expr *expr_new(enum expr_op op, enum value_kind kind, struct span where)
{
	struct expr *e = array_zero(1, sizeof *e);
	e->op = op;
	e->kind = kind;
	e->where = where;
	return e;
}

struct expr *expr_binary(enum expr_op op, struct span where, struct expr *left, struct expr *right)
{
	bool computes = op >= EXPR_ADD;
	bool real = left->kind == VALUE_REAL || right->kind == VALUE_REAL;
	enum value_kind kind = !computes ? VALUE_BOOL : real ? VALUE_REAL : VALUE_INT;
	struct expr *e = expr_new(op, kind, where);
	e->left = left;
	e->right = right;
	return e;
}

static void measure_free(struct test_measure *m)
{
	if (!m)
		return;
	free(m->state);
	free(m->label);
	free(m->event);
	free(m->object);
	free(m->interval);
	expr_free(m->condition);
	free(m);
}

void expr_free(struct expr *e)
{
	if (!e)
		return;
	measure_free(e->measure);
	expr_free(e->left);
	expr_free(e->right);
	if (e->op == EXPR_CONSTANT && e->kind == VALUE_STRING)
		free((char *)e->constant.string.bytes);
	free(e->aggregate);
	free(e);
}

bool expr_has(const struct expr *e, enum expr_op op)
{
	return e && (e->op == op || expr_has(e->left, op) || expr_has(e->right, op) ||
		     (e->op == EXPR_METRIC && expr_has(e->metric->value, op)));
}

bool expr_asks_thread(const struct expr *e)
{
	return expr_has(e, EXPR_OWNER) || expr_has(e, EXPR_PROCESS);
}

bool expr_is_symbolic(const struct expr *e)
{
	return e->op == EXPR_ATTRIBUTE && type_is_symbolic(e->event->attributes[e->attribute].type);
}

bool expr_is_constant(const struct expr *e)
{
	if (!e->left)
		return e->op == EXPR_CONSTANT;
	return expr_is_constant(e->left) && (!e->right || expr_is_constant(e->right));
}

/* ---- Values ---------------------------------------------------------------------------------- */

double value_real(const struct value *v)
{
	return v->kind == VALUE_REAL ? v->real : (double)v->integer;
}

static int string_order(const struct value *a, const struct value *b)
{
	uint32_t shorter =
	    a->string.length < b->string.length ? a->string.length : b->string.length;
	int order = shorter ? memcmp(a->string.bytes, b->string.bytes, shorter) : 0;
	if (order)
		return order;
	return (a->string.length > b->string.length) - (a->string.length < b->string.length);
}

static int integer_order(__int128 a, __int128 b)
{
	return (a > b) - (a < b);
}

static bool order_satisfies(enum expr_op op, int order)
{
	switch (op) {
	case EXPR_EQ:
		return order == 0;
	case EXPR_NE:
		return order != 0;
	case EXPR_LT:
		return order < 0;
	case EXPR_LE:
		return order <= 0;
	case EXPR_GT:
		return order > 0;
	default:
		return order >= 0;
	}
}

/* Not by integer_order() or the like: NaN has no order. */
static bool real_compare(enum expr_op op, double a, double b)
{
	switch (op) {
	case EXPR_EQ:
		return a == b;
	case EXPR_NE:
		return a != b;
	case EXPR_LT:
		return a < b;
	case EXPR_LE:
		return a <= b;
	case EXPR_GT:
		return a > b;
	default:
		return a >= b;
	}
}

/* Compares two numbers or two strings. op: EXPR_EQ to EXPR_GE. */
static bool value_compare(enum expr_op op, const struct value *a, const struct value *b)
{
	if (a->kind == VALUE_STRING)
		return order_satisfies(op, string_order(a, b));
	if (a->kind == VALUE_INT && b->kind == VALUE_INT)
		return order_satisfies(op, integer_order(a->integer, b->integer));
	return real_compare(op, value_real(a), value_real(b));
}

static bool integer_result(__int128 i, struct value *result)
{
	if (!integer_fits(i))
		return false;
	*result = (struct value){.kind = VALUE_INT, .integer = i};
	return true;
}

/* Operands have up to 65 bits: sums always fit into 128 bits, products may not. */
static bool integer_compute(enum expr_op op, __int128 a, __int128 b, struct value *result)
{
	__int128 product;
	switch (op) {
	case EXPR_ADD:
		return integer_result(a + b, result);
	case EXPR_SUB:
		return integer_result(a - b, result);
	case EXPR_MUL:
		return !__builtin_mul_overflow(a, b, &product) && integer_result(product, result);
	case EXPR_DIV:
		return b != 0 && integer_result(a / b, result);
	default:
		return b != 0 && integer_result(a % b, result);
	}
}

static double real_compute(enum expr_op op, double a, double b)
{
	switch (op) {
	case EXPR_ADD:
		return a + b;
	case EXPR_SUB:
		return a - b;
	case EXPR_MUL:
		return a * b;
	default:
		return a / b;
	}
}

/* Returns false after an overflow or a division by zero. op: EXPR_ADD to EXPR_MOD. */
static bool value_compute(enum expr_op op, const struct value *a, const struct value *b,
			  struct value *result)
{
	if (a->kind == VALUE_INT && b->kind == VALUE_INT)
		return integer_compute(op, a->integer, b->integer, result);
	double divisor = value_real(b);
	if (op == EXPR_DIV && divisor == 0)
		return false;
	*result =
	    (struct value){.kind = VALUE_REAL, .real = real_compute(op, value_real(a), divisor)};
	return true;
}

bool value_negate(const struct value *v, struct value *result)
{
	if (v->kind == VALUE_INT)
		return integer_result(-v->integer, result);
	*result = (struct value){.kind = VALUE_REAL, .real = -v->real};
	return true;
}

/* ---- Evaluation ------------------------------------------------------------------------------ */

static struct value truth(bool t)
{
	return (struct value){.kind = VALUE_BOOL, .truth = t};
}

static struct value whole(__int128 i)
{
	return (struct value){.kind = VALUE_INT, .integer = i};
}

static struct value owner_value(const char *owner)
{
	struct value v = {.kind = VALUE_STRING};
	v.string.bytes = owner ? owner : "";
	v.string.length = (uint32_t)strlen(v.string.bytes);
	return v;
}

static bool leaf_value(const struct expr *e, const struct binding *b, struct value *result)
{
	const struct operand *o = &b->side[e->side];
	switch (e->op) {
	case EXPR_CONSTANT:
		*result = e->constant;
		return true;
	case EXPR_ATTRIBUTE:
		*result = record_value(e->event, e->attribute, o->record);
		return true;
	case EXPR_TIME:
		*result = whole(o->time);
		return true;
	case EXPR_THREAD:
		*result = whole(o->thread);
		return true;
	case EXPR_OWNER:
		*result = owner_value(o->owner);
		return true;
	case EXPR_PROCESS:
		*result = whole(o->process);
		return true;
	case EXPR_DURATION:
		*result = whole(b->duration);
		return true;
	case EXPR_METRIC:
		return expr_value(e->metric->value, b, result);
	case EXPR_MEASURE:
		return b->measure && b->measure(b->context, e->measure, result);
	default: /* EXPR_AGGREGATE */
		return b->aggregate && b->aggregate(b->context, e->aggregate, result);
	}
}

static bool unary_value(const struct expr *e, const struct binding *b, struct value *result)
{
	struct value v;
	if (!expr_value(e->left, b, &v))
		return false;
	if (e->op == EXPR_NOT) {
		*result = truth(!v.truth);
		return true;
	}
	return value_negate(&v, result);
}

/* Does not evaluate the right operand if the left one decides. */
static bool logical_value(const struct expr *e, const struct binding *b, struct value *result)
{
	struct value v;
	if (!expr_value(e->left, b, &v))
		return false;
	if (v.truth == (e->op == EXPR_OR)) {
		*result = v;
		return true;
	}
	return expr_value(e->right, b, result);
}

static bool binary_value(const struct expr *e, const struct binding *b, struct value *result)
{
	struct value left, right;
	if (!expr_value(e->left, b, &left) || !expr_value(e->right, b, &right))
		return false;
	if (e->op > EXPR_GE)
		return value_compute(e->op, &left, &right, result);
	*result = truth(value_compare(e->op, &left, &right));
	return true;
}

bool expr_value(const struct expr *e, const struct binding *b, struct value *result)
{
	if (e->op <= EXPR_AGGREGATE)
		return leaf_value(e, b, result);
	if (e->op <= EXPR_NEGATE)
		return unary_value(e, b, result);
	if (e->op <= EXPR_OR)
		return logical_value(e, b, result);
	return binary_value(e, b, result);
}

bool expr_holds(const struct expr *e, const struct binding *b, uint64_t *faults)
{
	struct value v;
	if (!expr_value(e, b, &v)) {
		++*faults;
		return false;
	}
	return v.truth;
}
