#include "match/plan/range.h"
#include "spec/spec.h"

static struct range range_of_type(enum type t)
{
	switch (t) {
	case TYPE_INT:
		return (struct range){INT32_MIN, INT32_MAX, false};
	case TYPE_UINT:
		return (struct range){0, UINT32_MAX, false};
	case TYPE_LONG:
		return (struct range){INT64_MIN, INT64_MAX, false};
	default:
		return (struct range){0, UINT64_MAX, false};
	}
}

/* Keeps a range inside the integers there are; what lies outside faults. */
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
	if (r.low > r.high)
		r = (struct range){INTEGER_MIN, INTEGER_MAX, true};
	return r;
}

static struct range range_product(struct range a, struct range b)
{
	__int128 corner[4];
	struct range r = {0, 0, a.faults || b.faults};

	if (__builtin_mul_overflow(a.low, b.low, &corner[0]) ||
	    __builtin_mul_overflow(a.low, b.high, &corner[1]) ||
	    __builtin_mul_overflow(a.high, b.low, &corner[2]) ||
	    __builtin_mul_overflow(a.high, b.high, &corner[3]))
		return (struct range){INTEGER_MIN, INTEGER_MAX, true};
	r.low = r.high = corner[0];
	for (int i = 1; i < 4; i++) {
		r.low = corner[i] < r.low ? corner[i] : r.low;
		r.high = corner[i] > r.high ? corner[i] : r.high;
	}
	return range_clip(r);
}

struct range range_join(struct range a, struct range b)
{
	return (struct range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high,
			      a.faults || b.faults};
}

static struct range range_of_pair(const struct expr *e)
{
	struct range a = range_of(e->left), b = range_of(e->right);
	bool faults = a.faults || b.faults;

	switch (e->op) {
	case EXPR_ADD:
		return range_clip((struct range){a.low + b.low, a.high + b.high, faults});
	case EXPR_SUB:
		return range_clip((struct range){a.low - b.high, a.high - b.low, faults});
	case EXPR_MUL:
		return range_product(a, b);
	default:
		return (struct range){INTEGER_MIN, INTEGER_MAX, true};
	}
}

struct range range_of(const struct expr *e)
{
	struct range r;

	switch (e->op) {
	case EXPR_CONSTANT:
		return (struct range){e->constant.integer, e->constant.integer, false};
	case EXPR_ATTRIBUTE:
		return range_of_type(e->event->attributes[e->attribute].type);
	case EXPR_TIME:
		return (struct range){0, INT64_MAX, false};
	case EXPR_THREAD:
		return (struct range){0, UINT32_MAX, false};
	case EXPR_NEGATE:
		r = range_of(e->left);
		return range_clip((struct range){-r.high, -r.low, r.faults});
	case EXPR_ADD: case EXPR_SUB: case EXPR_MUL: case EXPR_DIV: case EXPR_MOD:
		return range_of_pair(e);
	default:
		return (struct range){INTEGER_MIN, INTEGER_MAX, true};
	}
}
