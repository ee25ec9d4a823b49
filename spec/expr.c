#include "spec/expr.h"
#include "spec/arithmetic.h"
#include "spec/spec.h"

#include <stdlib.h>
#include <string.h>

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

static bool aggregate_value(const struct expr *e, const struct binding *b, struct value *result)
{
	return b->aggregate && b->aggregate(b->context, e->aggregate, result);
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
	case EXPR_DURATION:
		*result = whole(b->duration);
		return true;
	case EXPR_METRIC:
		return expr_value(e->metric->value, b, result);
	default:
		return aggregate_value(e, b, result);
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

/* The right operand is not looked at when the left one decides. */
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

bool expr_has(const struct expr *e, enum expr_op op)
{
	return e && (e->op == op || expr_has(e->left, op) || expr_has(e->right, op) ||
		     (e->op == EXPR_METRIC && expr_has(e->metric->value, op)));
}

void expr_free(struct expr *e)
{
	if (!e)
		return;
	expr_free(e->left);
	expr_free(e->right);
	if (e->op == EXPR_CONSTANT && e->kind == VALUE_STRING)
		free((char *)e->constant.string.bytes);
	free(e->aggregate);
	free(e);
}
