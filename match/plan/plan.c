#include "match/plan/plan.h"
#include "base/array.h"
#include "match/comparisons/max_tree.h"
#include <stdlib.h>

unsigned expr_sides(const struct expr *e)
{
	if (expr_is_of_side(e->op))
		return 1u << e->side;
	if (e->op == EXPR_DURATION)
		return 3;
	return (e->left ? expr_sides(e->left) : 0) | (e->right ? expr_sides(e->right) : 0);
}

/* Finds the comparison that is true where the given one is false. With NaN only two have one. */
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

/* ---- from a conjunct to a comparison ---- */

enum { MOST_TERMS = 32 };

struct term {
	const struct expr *value;
	bool minus;
};

struct terms {
	struct term term[2][MOST_TERMS]; /* by side; of neither: with the anchor */
	unsigned n[2];
};

static bool terms_add(struct terms *t, const struct expr *e, bool minus)
{
	unsigned sides = expr_sides(e);
	enum side side = sides == 1 << SIDE_PARTNER ? SIDE_PARTNER : SIDE_ANCHOR;

	if (sides != 3) {
		if (t->n[side] == MOST_TERMS)
			return false;
		t->term[side][t->n[side]++] = (struct term){e, minus};
		return true;
	}
	switch (e->op) {
	case EXPR_NEGATE:
		return terms_add(t, e->left, !minus);
	case EXPR_ADD:
		return terms_add(t, e->left, minus) && terms_add(t, e->right, minus);
	case EXPR_SUB:
		return terms_add(t, e->left, minus) && terms_add(t, e->right, !minus);
	default:
		return false;
	}
}

/* Returns the sum of one side's terms, or its negation, and finds its range. */
static struct program *terms_program(const struct terms *t, enum side side, bool negate,
				     struct range *sum)
{
	struct program *p = program_new();

	*sum = (struct range){0, 0, false};
	program_add_zero(p);
	for (unsigned i = 0; i < t->n[side]; i++) {
		const struct term *term = &t->term[side][i];
		struct range r = expr_range(term->value);
		bool minus = term->minus != negate;

		program_add(p, term->value);
		program_sum(p, minus);
		sum->low += minus ? -r.high : r.low;
		sum->high += minus ? -r.low : r.high;
	}
	return p;
}

/*
 * Makes a comparison of integer sums that mix the sides: a.x + b.y < 10 becomes a.x - 10 < -b.y, in
 * 128 bits, so that nothing overflows. Returns false if the sides cannot be parted.
 */
static bool comparison_of_sums(const struct expr *e, struct comparison *c)
{
	struct terms t = {.n = {0, 0}};
	struct range anchor, partner;

	if (e->left->kind != VALUE_INT || e->right->kind != VALUE_INT)
		return false;
	if (!terms_add(&t, e->left, false) || !terms_add(&t, e->right, true))
		return false;
	if (!t.n[SIDE_ANCHOR] || !t.n[SIDE_PARTNER])
		return false;
	c->value[SIDE_ANCHOR] = terms_program(&t, SIDE_ANCHOR, false, &anchor);
	c->value[SIDE_PARTNER] = terms_program(&t, SIDE_PARTNER, true, &partner);
	comparison_set_range(c, range_join(anchor, partner));
	return true;
}

/* Makes programs that leave values of one kind, of what compares one side with the other. */
static void comparison_of_sides(const struct expr *left, const struct expr *right,
				struct comparison *c)
{
	const struct expr *of[2] = {left, right};
	bool real = left->kind == VALUE_REAL || right->kind == VALUE_REAL;

	for (int side = 0; side < 2; side++) {
		c->value[side] = program_new();
		program_add(c->value[side], of[side]);
		if (real && of[side]->kind == VALUE_INT)
			program_to_real(c->value[side]);
	}
	if (real)
		c->scale = SCALE_REAL;
	else if (left->kind == VALUE_INT)
		comparison_set_range(c, range_join(expr_range(left), expr_range(right)));
	else
		c->scale = left->kind == VALUE_STRING ? SCALE_STRING : SCALE_TRUTH;
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

/* Makes a comparison of a conjunct; returns false if it is none of one side with the other. *again:
 * the conjunct must be tested all the same, since it may fault. */
static bool comparison_of(const struct expr *e, enum expr_op op, struct comparison *c, bool *again)
{
	unsigned left = expr_sides(e->left), right = expr_sides(e->right);

	*c = (struct comparison){.source = e};
	*again = false;
	if (left == 1 << SIDE_ANCHOR && right == 1 << SIDE_PARTNER) {
		comparison_of_sides(e->left, e->right, c);
	} else if (left == 1 << SIDE_PARTNER && right == 1 << SIDE_ANCHOR) {
		comparison_of_sides(e->right, e->left, c);
		op = mirror(op);
	} else if (comparison_of_sums(e, c)) {
		*again = expr_range(e->left).faults || expr_range(e->right).faults;
	} else {
		return false;
	}
	c->kind = op == EXPR_EQ   ? COMPARISON_EQUAL
		  : op == EXPR_NE ? COMPARISON_DIFFER
				  : COMPARISON_ORDER;
	c->rising = op == EXPR_LT || op == EXPR_LE;
	c->strict = op == EXPR_LT || op == EXPR_GT;
	return true;
}

/* ---- from a condition to a plan ---- */

static void program_require(struct program *p, const struct expr *e, bool negated)
{
	bool first = program_empty(p);

	program_add(p, e);
	if (negated)
		program_not(p);
	if (!first)
		program_join(p);
}

static void plan_require(struct plan *plan, enum conjunct_use use, const struct expr *e,
			 bool negated)
{
	struct program *programs[] = {plan->filter[SIDE_ANCHOR], plan->filter[SIDE_PARTNER],
				      plan->rest};

	program_require(programs[use], e, negated);
	plan->conjuncts = array_grow(plan->conjuncts, plan->nconjuncts, sizeof *plan->conjuncts);
	plan->conjuncts[plan->nconjuncts++] = (struct conjunct){use, e, negated};
}

static void comparisons_add(struct comparison **list, unsigned *n, const struct comparison *c)
{
	*list = array_grow(*list, *n, sizeof **list);
	(*list)[(*n)++] = *c;
}

/* Returns false if the trees have no room for one more column. */
static bool plan_compare(struct plan *plan, struct comparison *c)
{
	comparison_prepare(c);
	if (c->kind == COMPARISON_EQUAL) {
		comparisons_add(&plan->equal, &plan->nequal, c);
		return true;
	}
	if (plan_columns(plan) + 2 > MAX_TREE_COLUMNS) {
		comparison_clear(c);
		return false;
	}
	comparisons_add(&plan->order, &plan->norder, c);
	return true;
}

static void plan_conjunct(struct plan *plan, const struct expr *e, bool negated)
{
	unsigned sides = expr_sides(e);
	enum expr_op op = e->op;
	struct comparison c;
	bool again = true;

	if (sides != 3) {
		plan_require(plan, sides == 1 << SIDE_PARTNER ? CONJUNCT_PARTNER : CONJUNCT_ANCHOR,
			     e, negated);
		return;
	}
	if (op >= EXPR_EQ && op <= EXPR_GE && (!negated || negate_comparison(e, &op)) &&
	    comparison_of(e, op, &c, &again)) {
		c.negated = negated;
		again |= !plan_compare(plan, &c);
	} else {
		again = true;
	}
	if (again)
		plan_require(plan, CONJUNCT_REST, e, negated);
}

bool conjunct_asks(const struct expr *e)
{
	return e->op != EXPR_AND && expr_sides(e) == 1 << SIDE_ANCHOR;
}

/* Finds among the conjuncts those that select anchors. */
static void plan_ask(struct plan *plan, const struct expr *e)
{
	if (e->op == EXPR_AND) {
		plan_ask(plan, e->left);
		plan_ask(plan, e->right);
	} else if (conjunct_asks(e)) {
		program_require(plan->asks, e, false);
	} else if (!(expr_sides(e) & 1 << SIDE_PARTNER) || e->op == EXPR_NOT) {
		plan->only_asks = false;
	}
}

/* Takes a condition apart at every && and at every || under a negation. */
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

/* Chooses the keys. Those of more than 128 bits are hashed; then the values must be compared,
 * too. */
static void plan_key(struct plan *plan)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < plan->nequal; i++)
		bits += comparison_bits(&plan->equal[i]);
	plan->exact = bits <= 128;
	plan->keys = plan->nequal == 0 ? 0 : plan->exact && bits > 64 ? 2 : 1;
	for (unsigned i = 0; i < plan->nequal && !plan->exact; i++)
		program_require(plan->rest, plan->equal[i].source, plan->equal[i].negated);
}

struct plan *plan_new(const struct interval *interval)
{
	struct plan *plan = array_zero(1, sizeof *plan);

	plan->interval = interval;
	plan->filter[SIDE_ANCHOR] = program_new();
	plan->filter[SIDE_PARTNER] = program_new();
	plan->asks = program_new();
	plan->rest = program_new();
	plan->only_asks = true;
	plan->candidates = interval->nested ? SIDE_ANCHOR : SIDE_PARTNER;
	plan->later = interval->direction == FORWARDS && !interval->nested;
	plan->take = interval->nested || interval->once;
	plan_split(plan, interval->condition, false);
	plan_ask(plan, interval->condition);
	plan_key(plan);
	plan->names = expr_asks_thread(interval->condition);
	plan->scans = !plan->nequal && !plan->norder && !program_empty(plan->rest);
	return plan;
}

void plan_asked(struct plan *plan)
{
	if (!plan->only_asks)
		return;
	program_free(plan->filter[SIDE_ANCHOR]);
	plan->filter[SIDE_ANCHOR] = program_new();
}

unsigned plan_columns(const struct plan *plan)
{
	unsigned n = 0;

	for (unsigned i = 0; i < plan->norder; i++)
		n += plan->order[i].kind == COMPARISON_DIFFER ? 2 : 1;
	return n;
}

bool plan_is_equality(const struct plan *plan)
{
	return plan->exact && plan->norder == 0 && program_empty(plan->rest);
}

static void comparisons_free(struct comparison *list, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		comparison_clear(&list[i]);
	free(list);
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	program_free(plan->filter[SIDE_ANCHOR]);
	program_free(plan->filter[SIDE_PARTNER]);
	program_free(plan->asks);
	program_free(plan->rest);
	free(plan->conjuncts);
	comparisons_free(plan->equal, plan->nequal);
	comparisons_free(plan->order, plan->norder);
	free(plan);
}
