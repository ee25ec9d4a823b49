#include "match/plan/plan.h"
#include "base/array.h"
#include "match/comparisons/max_tree.h"
#include <stdlib.h>

unsigned expr_sides(const struct expr *e)
{
	switch (e->op) {
	case EXPR_ATTRIBUTE: case EXPR_TIME: case EXPR_THREAD: case EXPR_OWNER:
		return 1u << e->side;
	case EXPR_DURATION:
		return 3;
	default:
		return (e->left ? expr_sides(e->left) : 0) | (e->right ? expr_sides(e->right) : 0);
	}
}

static bool is_comparison(enum expr_op op)
{
	return op >= EXPR_EQ && op <= EXPR_GE;
}

/* The comparison that is true where the given one is false; NaN leaves only two that have one. */
static bool negate_comparison(const struct expr *e, enum expr_op *op)
{
	static const enum expr_op opposite[] = {
		[EXPR_EQ] = EXPR_NE, [EXPR_NE] = EXPR_EQ, [EXPR_LT] = EXPR_GE,
		[EXPR_LE] = EXPR_GT, [EXPR_GT] = EXPR_LE, [EXPR_GE] = EXPR_LT,
	};
	bool real = e->left->kind == VALUE_REAL || e->right->kind == VALUE_REAL;

	*op = opposite[e->op];
	return !real || *op == EXPR_EQ || *op == EXPR_NE;
}

static void program_require(struct program *p, const struct expr *e, bool negated)
{
	bool first = program_empty(p);

	program_add(p, e);
	if (negated)
		program_not(p);
	if (!first)
		program_join(p);
}

static void plan_require(struct plan *plan, enum part_use use, const struct expr *e, bool negated)
{
	struct program *programs[] = {plan->filter[SIDE_ANCHOR], plan->filter[SIDE_PARTNER],
				      plan->rest};

	program_require(programs[use], e, negated);
	plan->parts = array_grow(plan->parts, plan->nparts, sizeof *plan->parts);
	plan->parts[plan->nparts++] = (struct conjunct){use, e, negated};
}

/* Both sides of a comparison that are of one side each, as programs that leave values of one kind.
 */
static void separate(const struct expr *left, const struct expr *right, struct pair *pair)
{
	const struct expr *of[2] = {left, right};
	bool real = left->kind == VALUE_REAL || right->kind == VALUE_REAL;

	for (int side = 0; side < 2; side++) {
		pair->value[side] = program_new();
		program_add(pair->value[side], of[side]);
		if (real && of[side]->kind == VALUE_INT)
			program_to_real(pair->value[side]);
	}
	if (real)
		pair->scale = SCALE_REAL;
	else if (left->kind == VALUE_INT)
		pair_set_range(pair, range_join(expr_range(left), expr_range(right)));
	else
		pair->scale = left->kind == VALUE_STRING ? SCALE_STRING : SCALE_TRUTH;
}

static enum expr_op mirror(enum expr_op op)
{
	switch (op) {
	case EXPR_LT:
		return EXPR_GT;
	case EXPR_LE:
		return EXPR_GE;
	case EXPR_GT:
		return EXPR_LT;
	case EXPR_GE:
		return EXPR_LE;
	default:
		return op;
	}
}

/* Makes a pair of a comparison, if it can be one; *again: it must still be tested, since it may
 * fault. */
static bool pair_of(const struct expr *e, enum expr_op op, struct pair *pair, bool *again)
{
	unsigned left = expr_sides(e->left), right = expr_sides(e->right);

	*pair = (struct pair){.source = e};
	*again = false;
	if (left == 1 << SIDE_ANCHOR && right == 1 << SIDE_PARTNER) {
		separate(e->left, e->right, pair);
	} else if (left == 1 << SIDE_PARTNER && right == 1 << SIDE_ANCHOR) {
		separate(e->right, e->left, pair);
		op = mirror(op);
	} else if (linear_pair(e, pair)) {
		*again = expr_range(e->left).faults || expr_range(e->right).faults;
	} else {
		return !(*again = true);
	}
	pair->use = op == EXPR_EQ ? PAIR_EQUAL : op == EXPR_NE ? PAIR_DIFFER : PAIR_ORDER;
	pair->rising = op == EXPR_LT || op == EXPR_LE;
	pair->strict = op == EXPR_LT || op == EXPR_GT;
	return true;
}

static void pairs_add(struct pair **pairs, unsigned *n, const struct pair *pair)
{
	*pairs = array_grow(*pairs, *n, sizeof **pairs);
	(*pairs)[(*n)++] = *pair;
}

/* False when the index has no room for it. */
static bool plan_add(struct plan *plan, struct pair *pair)
{
	pair_prepare(pair);
	if (pair->use == PAIR_EQUAL) {
		pairs_add(&plan->equal, &plan->nequal, pair);
		return true;
	}
	if (plan_columns(plan) + 2 > MOST_COLUMNS) {
		pair_clear(pair);
		return false;
	}
	pairs_add(&plan->order, &plan->norder, pair);
	return true;
}

static void plan_conjunct(struct plan *plan, const struct expr *e, bool negated)
{
	unsigned sides = expr_sides(e);
	enum expr_op op = e->op;
	struct pair pair;
	bool again = true;

	if (sides != 3) {
		plan_require(plan, sides == 1 << SIDE_PARTNER ? PART_PARTNER : PART_ANCHOR, e,
			     negated);
		return;
	}
	if (is_comparison(op) && (!negated || negate_comparison(e, &op)) &&
	    pair_of(e, op, &pair, &again)) {
		pair.negated = negated;
		if (!plan_add(plan, &pair))
			again = true;
	}
	if (again)
		plan_require(plan, PART_REST, e, negated);
}

/* Takes a condition apart at every "and", and at every "or" that is denied. */
static void plan_split(struct plan *plan, const struct expr *e, bool negated)
{
	if (e->op == EXPR_NOT) {
		plan_split(plan, e->left, !negated);
	} else if (e->op == (negated ? EXPR_OR : EXPR_AND)) {
		plan_split(plan, e->left, negated);
		plan_split(plan, e->right, negated);
	} else {
		plan_conjunct(plan, e, negated);
	}
}

/* Keys of more than 128 bits are hashed, and then the values must be compared. */
static void plan_key(struct plan *plan)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < plan->nequal; i++)
		bits += pair_bits(&plan->equal[i]);
	plan->exact = bits <= 128;
	plan->keys = plan->nequal == 0 ? 0 : plan->exact && bits > 64 ? 2 : 1;
	for (unsigned i = 0; i < plan->nequal && !plan->exact; i++)
		program_require(plan->rest, plan->equal[i].source, plan->equal[i].negated);
}

static void plan_search(struct plan *plan)
{
	const struct interval *interval = plan->interval;

	plan->candidates = interval->nested ? SIDE_ANCHOR : SIDE_PARTNER;
	plan->later = interval->direction == FORWARDS && !interval->nested;
	plan->take = interval->nested || interval->once;
}

struct plan *plan_new(const struct interval *interval)
{
	struct plan *plan = array_zero(1, sizeof *plan);

	plan->interval = interval;
	plan->filter[SIDE_ANCHOR] = program_new();
	plan->filter[SIDE_PARTNER] = program_new();
	plan->rest = program_new();
	plan_search(plan);
	plan_split(plan, interval->condition, false);
	plan_key(plan);
	plan->names = expr_has(interval->condition, EXPR_OWNER);
	plan->scans = !plan->nequal && !plan->norder && !program_empty(plan->rest);
	return plan;
}

unsigned plan_columns(const struct plan *plan)
{
	unsigned n = 0;

	for (unsigned i = 0; i < plan->norder; i++)
		n += plan->order[i].use == PAIR_DIFFER ? 2 : 1;
	return n;
}

static void pairs_free(struct pair *pairs, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		pair_clear(&pairs[i]);
	free(pairs);
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	program_free(plan->filter[SIDE_ANCHOR]);
	program_free(plan->filter[SIDE_PARTNER]);
	program_free(plan->rest);
	free(plan->parts);
	pairs_free(plan->equal, plan->nequal);
	pairs_free(plan->order, plan->norder);
	free(plan);
}
