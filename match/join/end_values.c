#include "match/join/end_values.h"

static enum load_kind load_of(enum type type)
{
	switch (type) {
	case TYPE_INT:
		return LOAD_INT;
	case TYPE_UINT:
	case TYPE_CODE32:
		return LOAD_UINT;
	default:
		return LOAD_LONG;
	}
}

static bool value_add(struct end_values *v, enum load_kind load, uint32_t offset)
{
	for (unsigned i = 0; i < v->n; i++)
		if (v->load[i] == load && v->offset[i] == offset)
			return true;
	if (v->n == MOST_VALUES)
		return false;
	v->load[v->n] = load;
	v->offset[v->n++] = offset;
	return true;
}

static bool values_add(struct end_values *v, const struct expr *e, enum side side)
{
	if (!e || e->op == EXPR_CONSTANT || (expr_is_of_side(e->op) && e->side != side))
		return true;
	if (e->op == EXPR_ATTRIBUTE) {
		const struct attribute *a = &e->event->attributes[e->attribute];

		return e->kind == VALUE_INT && value_add(v, load_of(a->type), a->offset);
	}
	if (e->op == EXPR_THREAD)
		return value_add(v, LOAD_THREAD, 0);
	/* no other leaf is known to be the same in events with the same values */
	return (e->left || e->right) && values_add(v, e->left, side) &&
	       values_add(v, e->right, side);
}

bool end_values_find(struct end_values *v, const struct expr *condition, enum side side)
{
	*v = (struct end_values){.n = 0};
	return values_add(v, condition, side);
}
