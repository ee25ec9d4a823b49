#include "spec/facts.h"
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
static unsigned possible_relations(const struct facts *f, const struct expr *a,
				   const struct expr *b)
{
	unsigned unordered = a->kind == VALUE_REAL || b->kind == VALUE_REAL ? IS_UNORDERED : 0;
	if (expr_equal(a, b))
		return IS_EQUAL | unordered;
	if (a->op == EXPR_TIME && b->op == EXPR_TIME && (f->forwards || f->backwards)) {
		bool earlier = (a->side == SIDE_ANCHOR) == f->forwards;
		return earlier ? IS_LESS | IS_EQUAL : IS_GREATER | IS_EQUAL;
	}
	if (a->kind != VALUE_INT || b->kind != VALUE_INT)
		return IS_LESS | IS_EQUAL | IS_GREATER | unordered;
	struct range x = expr_range(a), y = expr_range(b);
	return (x.low < y.high ? IS_LESS : 0) | (x.high > y.low ? IS_GREATER : 0) |
	       (x.low <= y.high && y.low <= x.high ? IS_EQUAL : 0);
}

static void contradiction(struct facts *f, struct span where, struct span other)
{
	if (f->impossible)
		return;
	f->impossible = true;
	f->where = where;
	f->other = other;
}

static void fact_add(struct facts *f, struct fact new)
{
	for (unsigned i = 0; i < f->nfacts; i++) {
		const struct fact *old = &f->facts[i];
		unsigned relations = old->relations;
		if (expr_equal(old->left, new.right) && expr_equal(old->right, new.left))
			relations = relations_swap(relations);
		else if (!expr_equal(old->left, new.left) || !expr_equal(old->right, new.right))
			continue;
		if (!(relations & new.relations))
			contradiction(f, new.where, old->where);
	}
	if (f->nfacts < MOST_FACTS)
		f->facts[f->nfacts++] = new;
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

static struct bound *bound_of(struct facts *f, const struct expr *e, struct span where)
{
	for (unsigned i = 0; i < f->nbounds; i++)
		if (expr_equal(f->bounds[i].e, e))
			return &f->bounds[i];
	if (f->nbounds == MOST_FACTS)
		return NULL;
	f->bounds[f->nbounds] = (struct bound){e, expr_range(e), where};
	return &f->bounds[f->nbounds++];
}

static void bound_add(struct facts *f, const struct expr *e, unsigned relations, __int128 constant,
		      struct span where)
{
	struct bound *b = bound_of(f, e, where);
	if (!b)
		return;
	struct range r = constant_range(relations, constant);
	if (r.low > b->range.low)
		b->range.low = r.low;
	if (r.high < b->range.high)
		b->range.high = r.high;
	if (b->range.low > b->range.high)
		contradiction(f, where, b->where);
}

static bool is_whole_constant(const struct expr *e)
{
	return e->op == EXPR_CONSTANT && e->kind == VALUE_INT;
}

static void comparison_add(struct facts *f, const struct expr *e)
{
	const struct expr *a = e->left, *b = e->right;
	unsigned wanted = operator_relations(e->op);
	unsigned relations = wanted & possible_relations(f, a, b);
	if (!relations) {
		contradiction(f, e->where, DIAG_NOWHERE);
		return;
	}
	if (is_whole_constant(b) && a->kind == VALUE_INT)
		bound_add(f, a, wanted, b->constant.integer, e->where);
	else if (is_whole_constant(a) && b->kind == VALUE_INT)
		bound_add(f, b, relations_swap(wanted), a->constant.integer, e->where);
	else
		fact_add(f, (struct fact){a, b, relations, e->where});
}

/* Allocates the facts of the alternative: they are too large for the stack of a recursion. */
static bool is_impossible(const struct facts *f, const struct expr *alternative)
{
	struct facts *own = calloc(1, sizeof *own);
	if (!own)
		return false;
	own->forwards = f->forwards;
	own->backwards = f->backwards;
	facts_add(own, alternative);
	bool impossible = own->impossible;
	free(own);
	return impossible;
}

/* One of the alternatives must be possible by itself; the other facts are not considered. */
static void alternatives_add(struct facts *f, const struct expr *e)
{
	if (is_impossible(f, e->left) && is_impossible(f, e->right))
		contradiction(f, e->where, DIAG_NOWHERE);
}

static void constant_add(struct facts *f, const struct expr *e)
{
	struct binding nothing = {.duration = 0};
	struct value v;
	if (!expr_value(e, &nothing, &v) || !v.truth)
		contradiction(f, e->where, DIAG_NOWHERE);
}

void facts_add(struct facts *f, const struct expr *e)
{
	if (e->op == EXPR_AND) {
		facts_add(f, e->left);
		facts_add(f, e->right);
	} else if (expr_is_constant(e)) {
		constant_add(f, e);
	} else if (e->op == EXPR_OR) {
		alternatives_add(f, e);
	} else if (e->op >= EXPR_EQ && e->op <= EXPR_GE) {
		comparison_add(f, e);
	}
}
