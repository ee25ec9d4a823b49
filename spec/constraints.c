#include "spec/constraints.h"
#include "grammar/diag.h"
#include "spec/equal.h"
#include <stdlib.h>

static unsigned operator_relations(enum expr_op op)
{
	switch (op) {
	case EXPR_EQ:
		return IS_EQUAL;
	case EXPR_NE:
		return IS_LESS | IS_GREATER | IS_UNORDERED;
	case EXPR_LT:
		return IS_LESS;
	case EXPR_LE:
		return IS_LESS | IS_EQUAL;
	case EXPR_GT:
		return IS_GREATER;
	default:
		return IS_GREATER | IS_EQUAL;
	}
}

static unsigned relations_swap(unsigned r)
{
	unsigned kept = r & (IS_EQUAL | IS_UNORDERED);
	return kept | (r & IS_LESS ? IS_GREATER : 0) | (r & IS_GREATER ? IS_LESS : 0);
}

/* Returns how two expressions can compare at all, by their kinds and ranges. */
static unsigned possible_relations(const struct constraints *c, const struct expr *a,
				   const struct expr *b)
{
	unsigned unordered = a->kind == VALUE_REAL || b->kind == VALUE_REAL ? IS_UNORDERED : 0;
	if (expr_equal(a, b))
		return IS_EQUAL | unordered;
	if (a->op == EXPR_TIME && b->op == EXPR_TIME && (c->forwards || c->backwards)) {
		bool earlier = (a->side == SIDE_ANCHOR) == c->forwards;
		return earlier ? IS_LESS | IS_EQUAL : IS_GREATER | IS_EQUAL;
	}
	if (a->kind != VALUE_INT || b->kind != VALUE_INT)
		return IS_LESS | IS_EQUAL | IS_GREATER | unordered;
	struct range x = expr_range(a), y = expr_range(b);
	return (x.low < y.high ? IS_LESS : 0) | (x.high > y.low ? IS_GREATER : 0) |
	       (x.low <= y.high && y.low <= x.high ? IS_EQUAL : 0);
}

static void contradiction(struct constraints *c, struct span where, struct span other)
{
	if (c->impossible)
		return;
	c->impossible = true;
	c->where = where;
	c->other = other;
}

static void constraint_add(struct constraints *c, struct constraint new)
{
	for (unsigned i = 0; i < c->nconstraints; i++) {
		const struct constraint *old = &c->constraints[i];
		unsigned relations = old->relations;
		if (expr_equal(old->left, new.right) && expr_equal(old->right, new.left))
			relations = relations_swap(relations);
		else if (!expr_equal(old->left, new.left) || !expr_equal(old->right, new.right))
			continue;
		if (!(relations & new.relations))
			contradiction(c, new.where, old->where);
	}
	if (c->nconstraints < MOST_CONSTRAINTS)
		c->constraints[c->nconstraints++] = new;
}

/* Returns the values that have one of the relations to a constant; for "!=", all. */
static struct range constant_range(unsigned relations, __int128 constant)
{
	struct range r = RANGE_ALL;
	if (!(relations & IS_LESS))
		r.low = relations & IS_EQUAL ? constant : constant + 1;
	if (!(relations & IS_GREATER))
		r.high = relations & IS_EQUAL ? constant : constant - 1;
	return r;
}

static struct bound *bound_of(struct constraints *c, const struct expr *e, struct span where)
{
	for (unsigned i = 0; i < c->nbounds; i++)
		if (expr_equal(c->bounds[i].e, e))
			return &c->bounds[i];
	if (c->nbounds == MOST_CONSTRAINTS)
		return NULL;
	c->bounds[c->nbounds] = (struct bound){e, expr_range(e), where};
	return &c->bounds[c->nbounds++];
}

static void bound_add(struct constraints *c, const struct expr *e, unsigned relations,
		      __int128 constant, struct span where)
{
	struct bound *b = bound_of(c, e, where);
	if (!b)
		return;
	struct range r = constant_range(relations, constant);
	if (r.low > b->range.low)
		b->range.low = r.low;
	if (r.high < b->range.high)
		b->range.high = r.high;
	if (b->range.low > b->range.high)
		contradiction(c, where, b->where);
}

static bool is_whole_constant(const struct expr *e)
{
	return e->op == EXPR_CONSTANT && e->kind == VALUE_INT;
}

static void comparison_add(struct constraints *c, const struct expr *e)
{
	const struct expr *a = e->left, *b = e->right;
	unsigned wanted = operator_relations(e->op);
	unsigned relations = wanted & possible_relations(c, a, b);
	if (!relations) {
		contradiction(c, e->where, DIAG_NOWHERE);
		return;
	}
	if (is_whole_constant(b) && a->kind == VALUE_INT)
		bound_add(c, a, wanted, b->constant.integer, e->where);
	else if (is_whole_constant(a) && b->kind == VALUE_INT)
		bound_add(c, b, relations_swap(wanted), a->constant.integer, e->where);
	else
		constraint_add(c, (struct constraint){a, b, relations, e->where});
}

/* Allocates the constraints of the alternative: they are too large for the stack of a recursion. */
static bool is_impossible(const struct constraints *c, const struct expr *alternative)
{
	struct constraints *own = calloc(1, sizeof *own);
	if (!own)
		return false;
	own->forwards = c->forwards;
	own->backwards = c->backwards;
	constraints_add(own, alternative);
	bool impossible = own->impossible;
	free(own);
	return impossible;
}

/* One of the alternatives must be possible by itself; the other constraints are not considered. */
static void alternatives_add(struct constraints *c, const struct expr *e)
{
	if (is_impossible(c, e->left) && is_impossible(c, e->right))
		contradiction(c, e->where, DIAG_NOWHERE);
}

static void constant_add(struct constraints *c, const struct expr *e)
{
	struct binding nothing = {.duration = 0};
	struct value v;
	if (!expr_value(e, &nothing, &v) || !v.truth)
		contradiction(c, e->where, DIAG_NOWHERE);
}

void constraints_add(struct constraints *c, const struct expr *e)
{
	if (e->op == EXPR_AND) {
		constraints_add(c, e->left);
		constraints_add(c, e->right);
	} else if (expr_is_constant(e)) {
		constant_add(c, e);
	} else if (e->op == EXPR_OR) {
		alternatives_add(c, e);
	} else if (e->op >= EXPR_EQ && e->op <= EXPR_GE) {
		comparison_add(c, e);
	}
}
