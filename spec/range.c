#include "spec/range.h"
#include "spec/spec.h"

const struct range RANGE_ALL = {INTEGER_MIN, INTEGER_MAX, true};

static struct range type_range(enum type t)
{
	switch (t) {
	case TYPE_INT:
		return (struct range){INT32_MIN, INT32_MAX, false};
	case TYPE_UINT:
	case TYPE_CODE32:
		return (struct range){0, UINT32_MAX, false};
	case TYPE_LONG:
		return (struct range){INT64_MIN, INT64_MAX, false};
	case TYPE_ULONG:
	case TYPE_ADDRESS:
	case TYPE_CODE:
	case TYPE_OBJECT:
		return (struct range){0, UINT64_MAX, false};
	default:
		return RANGE_ALL;
	}
}

static struct range leaf_range(const struct expr *e)
{
	switch (e->op) {
	case EXPR_CONSTANT:
		return (struct range){e->constant.integer, e->constant.integer, false};
	case EXPR_ATTRIBUTE:
		return type_range(e->event->attributes[e->attribute].type);
	case EXPR_TIME:
	case EXPR_DURATION:
		return (struct range){0, INT64_MAX, false};
	case EXPR_THREAD:
	case EXPR_PROCESS:
		return (struct range){0, UINT32_MAX, false};
	case EXPR_AGGREGATE:
		if (e->aggregate->function == AGGREGATE_COUNT ||
		    e->aggregate->function == AGGREGATE_UNMATCHED)
			return (struct range){0, UINT64_MAX, false};
		return RANGE_ALL;
	default:
		return RANGE_ALL;
	}
}

/* Limits a range to the integers of the language; values outside fault. */
static struct range range_clip(struct range r)
{
	if (r.low < INTEGER_MIN) {
		r.low = INTEGER_MIN;
		r.faults = true;
	}
	if (r.high > INTEGER_MAX) {
		r.high = INTEGER_MAX;
		r.faults = true;
	}
	return r.low <= r.high ? r : RANGE_ALL;
}

static struct range product_range(struct range a, struct range b)
{
	__int128 corner[4];
	struct range r = {0, 0, a.faults || b.faults};

	if (__builtin_mul_overflow(a.low, b.low, &corner[0]) ||
	    __builtin_mul_overflow(a.low, b.high, &corner[1]) ||
	    __builtin_mul_overflow(a.high, b.low, &corner[2]) ||
	    __builtin_mul_overflow(a.high, b.high, &corner[3]))
		return RANGE_ALL;
	r.low = r.high = corner[0];
	for (int i = 1; i < 4; i++) {
		r.low = corner[i] < r.low ? corner[i] : r.low;
		r.high = corner[i] > r.high ? corner[i] : r.high;
	}
	return range_clip(r);
}

/* A remainder has the sign of the dividend and is smaller than the divisor. */
static struct range remainder_range(struct range a, const struct expr *divisor)
{
	if (divisor->op != EXPR_CONSTANT || divisor->constant.integer == 0)
		return (struct range){a.low, a.high, true};
	__int128 d =
	    divisor->constant.integer < 0 ? -divisor->constant.integer : divisor->constant.integer;
	struct range r = {a.low < 0 ? 1 - d : 0, a.high > 0 ? d - 1 : 0, a.faults};
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
		return range_clip((struct range){-a.high, -a.low, a.faults});
	struct range b = expr_range(e->right);
	bool faults = a.faults || b.faults;
	switch (e->op) {
	case EXPR_ADD:
		return range_clip((struct range){a.low + b.low, a.high + b.high, faults});
	case EXPR_SUB:
		return range_clip((struct range){a.low - b.high, a.high - b.low, faults});
	case EXPR_MUL:
		return product_range(a, b);
	case EXPR_MOD:
		return remainder_range(a, e->right);
	default:
		return RANGE_ALL;
	}
}

struct range range_join(struct range a, struct range b)
{
	return (struct range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high,
			      a.faults || b.faults};
}
