#include "spec/range.h"
#include "spec/spec.h"
#include <string.h>

const struct range RANGE_ALL = {INT64_MIN, UINT64_MAX};

static struct range type_range(enum type t)
{
	switch (t) {
	case TYPE_INT:
		return (struct range){INT32_MIN, INT32_MAX};
	case TYPE_UINT:
		return (struct range){0, UINT32_MAX};
	case TYPE_LONG:
		return (struct range){INT64_MIN, INT64_MAX};
	case TYPE_ULONG:
	case TYPE_ADDRESS:
		return (struct range){0, UINT64_MAX};
	default:
		return RANGE_ALL;
	}
}

static struct range leaf_range(const struct expr *e)
{
	switch (e->op) {
	case EXPR_CONSTANT:
		return (struct range){e->constant.integer, e->constant.integer};
	case EXPR_ATTRIBUTE:
		return type_range(e->event->attributes[e->attribute].type);
	case EXPR_TIME:
	case EXPR_DURATION:
		return (struct range){0, INT64_MAX};
	case EXPR_THREAD:
		return (struct range){0, UINT32_MAX};
	case EXPR_AGGREGATE:
		if (e->aggregate->function == AGGREGATE_COUNT ||
		    e->aggregate->function == AGGREGATE_UNMATCHED)
			return (struct range){0, UINT64_MAX};
		return RANGE_ALL;
	default:
		return RANGE_ALL;
	}
}

/* What leaves the range of integers is a fault, and no value. */
static struct range range_clip(struct range r)
{
	if (r.low < RANGE_ALL.low)
		r.low = RANGE_ALL.low;
	if (r.high > RANGE_ALL.high)
		r.high = RANGE_ALL.high;
	return r.low <= r.high ? r : RANGE_ALL;
}

/* A remainder has the sign of what is divided and is smaller than the divisor. */
static struct range remainder_range(struct range a, const struct expr *divisor)
{
	if (divisor->op != EXPR_CONSTANT || divisor->constant.integer == 0)
		return a;
	__int128 d = divisor->constant.integer < 0 ? -divisor->constant.integer
						   : divisor->constant.integer;
	struct range r = {a.low < 0 ? 1 - d : 0, a.high > 0 ? d - 1 : 0};
	if (r.low < a.low)
		r.low = a.low;
	if (r.high > a.high)
		r.high = a.high;
	return r;
}

struct range expr_range(const struct expr *e)
{
	if (e->kind != VALUE_INT || !e->left)
		return e->kind == VALUE_INT ? leaf_range(e) : RANGE_ALL;
	struct range a = expr_range(e->left);
	if (e->op == EXPR_NEGATE)
		return range_clip((struct range){-a.high, -a.low});
	struct range b = expr_range(e->right);
	switch (e->op) {
	case EXPR_ADD:
		return range_clip((struct range){a.low + b.low, a.high + b.high});
	case EXPR_SUB:
		return range_clip((struct range){a.low - b.high, a.high - b.low});
	case EXPR_MOD:
		return remainder_range(a, e->right);
	default:
		return RANGE_ALL;
	}
}

/* Doubles by their bits: a NaN is the same as itself, and -0.0 is not 0.0. */
static bool same_constant(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VALUE_BOOL:
		return a->truth == b->truth;
	case VALUE_INT:
		return a->integer == b->integer;
	case VALUE_REAL:
		return memcmp(&a->real, &b->real, sizeof a->real) == 0;
	case VALUE_STRING:
		return a->string.length == b->string.length &&
		       memcmp(a->string.bytes, b->string.bytes, a->string.length) == 0;
	}
	return false;
}

static bool same_leaf(const struct expr *a, const struct expr *b)
{
	switch (a->op) {
	case EXPR_CONSTANT:
		return same_constant(&a->constant, &b->constant);
	case EXPR_ATTRIBUTE:
		return a->side == b->side && a->attribute == b->attribute;
	case EXPR_TIME:
	case EXPR_THREAD:
	case EXPR_OWNER:
		return a->side == b->side;
	case EXPR_METRIC:
		return a->metric == b->metric;
	case EXPR_DURATION:
		return true;
	default:
		return false;
	}
}

bool expr_same(const struct expr *a, const struct expr *b)
{
	if (a->op != b->op)
		return false;
	if (!a->left)
		return same_leaf(a, b);
	return expr_same(a->left, b->left) && (!a->right || expr_same(a->right, b->right));
}

bool expr_is_constant(const struct expr *e)
{
	if (!e->left)
		return e->op == EXPR_CONSTANT;
	return expr_is_constant(e->left) && (!e->right || expr_is_constant(e->right));
}
