/* The conditions that Match, and the lack of any condition, stand for. */
#include "spec/check.h"
#include "spec/intervals.h"

static struct expr *attribute_side(const struct event_type *event, unsigned index, enum side side,
				   struct span where)
{
	enum type t = event->attributes[index].type;
	enum value_kind kind = t == TYPE_DOUBLE ? VALUE_REAL : VALUE_INT;
	if (t == TYPE_STRING)
		kind = VALUE_STRING;
	struct expr *x = expr_new(EXPR_ATTRIBUTE, kind, where);
	x->event = event;
	x->attribute = index;
	x->side = side;
	return x;
}

static bool same_names(struct resolver *r, const struct interval *i, const struct event_type *a,
		       const struct event_type *b, struct span where)
{
	bool good = true;
	for (unsigned k = 0; k < a->nattributes; k++) {
		if (event_attribute(b, a->attributes[k].name) >= 0)
			continue;
		diag_error(r->diag, where, "interval %s cannot Match: %s has no attribute '%s'",
			   i->name, b->name, a->attributes[k].name);
		diag_note(r->diag, a->attributes[k].where, "%s has it here", a->name);
		good = false;
	}
	return good;
}

static bool same_kinds(struct resolver *r, const struct interval *i, const struct attribute *a,
		       const struct attribute *b, struct span where)
{
	if ((a->type == TYPE_STRING) == (b->type == TYPE_STRING))
		return true;
	diag_error(r->diag, where, "interval %s cannot Match: '%s' is a string in one event only",
		   i->name, a->name);
	diag_note(r->diag, a->where, "%s here", type_name(a->type));
	diag_note(r->diag, b->where, "%s here", type_name(b->type));
	return false;
}

static struct expr *always(struct span where)
{
	struct expr *x = expr_new(EXPR_CONSTANT, VALUE_BOOL, where);
	x->constant = (struct value){.kind = VALUE_BOOL, .truth = true};
	return x;
}

struct expr *match_condition(struct resolver *r, const struct interval *i, struct span where)
{
	const struct event_type *a = end_event(&i->anchor), *b = end_event(&i->partner);
	bool good = same_names(r, i, a, b, where);
	if (a != b)
		good &= same_names(r, i, b, a, where);
	struct expr *all = NULL;
	for (unsigned k = 0; good && k < a->nattributes; k++) {
		unsigned other = (unsigned)event_attribute(b, a->attributes[k].name);
		if (!same_kinds(r, i, &a->attributes[k], &b->attributes[other], where)) {
			good = false;
			break;
		}
		struct expr *equal =
		    expr_binary(EXPR_EQ, where, attribute_side(a, k, SIDE_ANCHOR, where),
				attribute_side(b, other, SIDE_PARTNER, where));
		all = all ? expr_binary(EXPR_AND, where, all, equal) : equal;
	}
	if (good)
		return all ? all : always(where);
	expr_free(all);
	return NULL;
}

struct expr *same_thread_condition(const struct interval *i)
{
	struct expr *left = expr_new(EXPR_THREAD, VALUE_INT, i->where);
	struct expr *right = expr_new(EXPR_THREAD, VALUE_INT, i->where);
	right->side = SIDE_PARTNER;
	return expr_binary(EXPR_EQ, i->where, left, right);
}
