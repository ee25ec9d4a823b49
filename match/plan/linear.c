#include "match/plan/plan.h"
#include "spec/spec.h"

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

/* The sum of one side's terms, or its negation, and what values it can take. */
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

bool linear_pair(const struct expr *e, struct pair *pair)
{
	struct terms t = {.n = {0, 0}};
	struct range anchor, partner;

	if (e->left->kind != VALUE_INT || e->right->kind != VALUE_INT)
		return false;
	if (!terms_add(&t, e->left, false) || !terms_add(&t, e->right, true))
		return false;
	if (!t.n[SIDE_ANCHOR] || !t.n[SIDE_PARTNER])
		return false;
	pair->value[SIDE_ANCHOR] = terms_program(&t, SIDE_ANCHOR, false, &anchor);
	pair->value[SIDE_PARTNER] = terms_program(&t, SIDE_PARTNER, true, &partner);
	pair_set_range(pair, range_join(anchor, partner));
	return true;
}
