#include "sql/conjuncts.h"
#include "match/plan/plan.h"
#include <stdlib.h>

enum { OF_ANCHOR = 1 << SIDE_ANCHOR, OF_PARTNER = 1 << SIDE_PARTNER };

/* ---- bounds on time ---- */

/* A sum of times and constants. */
struct time_sum {
	int times[2]; /* how often each side's time counts */
	__int128 constant;
};

static bool sum_add(struct time_sum *s, const struct expr *e, int sign)
{
	struct value v;

	switch (e->op) {
	case EXPR_TIME:
		s->times[e->side] += sign;
		return true;
	case EXPR_CONSTANT:
		if (e->kind != VALUE_INT || !expr_value(e, &(struct binding){0}, &v))
			return false;
		s->constant += sign * v.integer;
		return true;
	case EXPR_NEGATE:
		return sum_add(s, e->left, -sign);
	case EXPR_ADD:
		return sum_add(s, e->left, sign) && sum_add(s, e->right, sign);
	case EXPR_SUB:
		return sum_add(s, e->left, sign) && sum_add(s, e->right, -sign);
	default:
		return false;
	}
}

/* Finds how far apart a comparison lets the two events be, in the direction of the search. */
static bool bound_of(const struct interval *i, const struct expr *e, int64_t *most)
{
	enum side later = i->direction == FORWARDS ? SIDE_PARTNER : SIDE_ANCHOR;
	bool less = e->op == EXPR_LT || e->op == EXPR_LE,
	     strict = e->op == EXPR_LT || e->op == EXPR_GT;
	struct time_sum s = {{0, 0}, 0};
	__int128 bound;

	if (e->op < EXPR_LT || e->op > EXPR_GE)
		return false;
	/* smaller - greater < 0, or <= 0 */
	if (!sum_add(&s, e->left, less ? 1 : -1) || !sum_add(&s, e->right, less ? -1 : 1))
		return false;
	if (s.times[later] != 1 || s.times[!later] != -1)
		return false;
	bound = -s.constant - strict;
	if (bound > INT64_MAX / 4)
		return false;
	*most = bound < 0 ? -1 : (int64_t)bound;
	return true;
}

/* ---- the parts of a condition ---- */

static bool is_key(const struct expr *e, struct conjunct_key *k)
{
	unsigned left, right;

	if (e->op != EXPR_EQ)
		return false;
	left = expr_sides(e->left);
	right = expr_sides(e->right);
	if (left == OF_ANCHOR && right == OF_PARTNER)
		*k = (struct conjunct_key){{e->left, e->right}};
	else if (left == OF_PARTNER && right == OF_ANCHOR)
		*k = (struct conjunct_key){{e->right, e->left}};
	else
		return false;
	return true;
}

static void rest_add(struct conjuncts *c, const struct interval *i, const struct expr *e)
{
	int64_t most;

	*vector_add(&c->rest) = e;
	if (!bound_of(i, e, &most)) {
		c->only_bounds = false;
		return;
	}
	if (!c->bound.is_bounded || most < c->bound.most)
		c->bound = (struct time_bound){true, most};
}

static void conjunct_add(struct conjuncts *c, const struct interval *i, const struct expr *e)
{
	unsigned sides;
	struct conjunct_key k;

	if (e->op == EXPR_AND) {
		conjunct_add(c, i, e->left);
		conjunct_add(c, i, e->right);
		return;
	}
	sides = expr_sides(e);
	if (sides != (OF_ANCHOR | OF_PARTNER))
		*vector_add(&c->filter[sides == OF_ANCHOR ? SIDE_ANCHOR : SIDE_PARTNER]) = e;
	else if (is_key(e, &k))
		*vector_add(&c->keys) = k;
	else
		rest_add(c, i, e);
}

struct conjuncts conjuncts_of(const struct interval *i)
{
	struct conjuncts c = {.only_bounds = true};

	conjunct_add(&c, i, i->condition);
	return c;
}

void conjuncts_free(struct conjuncts *c)
{
	free(c->filter[SIDE_ANCHOR].at);
	free(c->filter[SIDE_PARTNER].at);
	free(c->keys.at);
	free(c->rest.at);
}

bool key_is_thread(const struct conjunct_key *k)
{
	return k->value[SIDE_ANCHOR]->op == EXPR_THREAD &&
	       k->value[SIDE_PARTNER]->op == EXPR_THREAD;
}

bool expr_is_attribute(const struct expr *e, int attribute)
{
	return e->op == EXPR_ATTRIBUTE && (int)e->attribute == attribute;
}
