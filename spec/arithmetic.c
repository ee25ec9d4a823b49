#include "spec/arithmetic.h"

#include <string.h>

#define INTEGER_LOWEST ((__int128)INT64_MIN)
#define INTEGER_HIGHEST ((__int128)UINT64_MAX)

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

/* Not by way of an order: NaN has none. */
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

bool value_compare(enum expr_op op, const struct value *a, const struct value *b)
{
	if (a->kind == VALUE_STRING)
		return order_satisfies(op, string_order(a, b));
	if (a->kind == VALUE_INT && b->kind == VALUE_INT)
		return order_satisfies(op, integer_order(a->integer, b->integer));
	return real_compare(op, value_real(a), value_real(b));
}

static bool integer_result(__int128 i, struct value *result)
{
	if (i < INTEGER_LOWEST || i > INTEGER_HIGHEST)
		return false;
	*result = (struct value){.kind = VALUE_INT, .integer = i};
	return true;
}

/* Operands are within 65 bits: sums always fit into 128 bits, products may not. */
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

bool value_compute(enum expr_op op, const struct value *a, const struct value *b,
		   struct value *result)
{
	if (a->kind == VALUE_INT && b->kind == VALUE_INT)
		return integer_compute(op, a->integer, b->integer, result);
	double divisor = value_real(b);
	if (op == EXPR_DIV && divisor == 0)
		return false;
	*result = (struct value){.kind = VALUE_REAL,
				 .real = real_compute(op, value_real(a), divisor)};
	return true;
}

bool value_negate(const struct value *v, struct value *result)
{
	if (v->kind == VALUE_INT)
		return integer_result(-v->integer, result);
	*result = (struct value){.kind = VALUE_REAL, .real = -v->real};
	return true;
}
