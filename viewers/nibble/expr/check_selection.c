#include "viewers/nibble/expr/checker.h"

#include "base/array.h"
#include "spec/check.h"

#include <string.h>

static struct source_selection *selection_add(struct source_node *s, enum selection_kind kind)
{
	struct source_selection **last = &s->selections;

	while (*last)
		last = &(*last)->next;
	*last = array_zero(1, sizeof **last);
	(*last)->kind = kind;
	return *last;
}

static bool check_thread(struct checker *c, const struct ast_expr *value, struct source_node *s)
{
	if (value->kind == AST_STRING) {
		selection_add(s, SELECTION_THREAD_NAME)->pattern =
		    text_format("%s", value->name.text);
		return true;
	}
	if (value->kind == AST_NUMBER && !value->number.is_real &&
	    value->number.dimension == AST_PLAIN) {
		selection_add(s, SELECTION_THREAD_NUMBER)->number = (int64_t)value->number.integer;
		return true;
	}
	diag_error(c->diag, value->where,
		   "a thread is a number, thread=0, or a name, thread=\"worker*\"");
	return false;
}

bool check_selection(struct checker *c, const struct ast_argument *item, struct source_node *s)
{
	struct expr *condition;

	if (!item->is_where && strcmp(item->key.text, "thread") == 0)
		return check_thread(c, item->value, s);
	if (!item->is_where) {
		diag_error(c->diag, item->key.where,
			   "a selection is thread=... or where ...; to compare an "
			   "attribute write [where %s == ...]",
			   item->key.text);
		return false;
	}
	condition = s->subject.interval
			? interval_condition(c->spec, s->subject.interval, item->value, c->diag)
			: event_condition(c->spec, s->subject.event, item->value, c->diag);
	if (!condition)
		return false;
	selection_add(s, SELECTION_WHERE)->condition = condition;
	return true;
}

/* Whether an expression looks at the partner, or at what only a pair has. */
static const struct expr *partner_use(const struct expr *e)
{
	const struct expr *use;

	if (!e)
		return NULL;
	switch (e->op) {
	case EXPR_ATTRIBUTE:
	case EXPR_TIME:
	case EXPR_THREAD:
	case EXPR_OWNER:
		return e->side == SIDE_PARTNER ? e : NULL;
	case EXPR_DURATION:
	case EXPR_METRIC:
		return e;
	default:
		use = partner_use(e->left);
		return use ? use : partner_use(e->right);
	}
}

bool check_unmatched(struct checker *c, const struct source_node *s)
{
	for (const struct source_selection *i = s->selections; i; i = i->next) {
		const struct expr *use = partner_use(i->condition);

		if (use) {
			diag_error(c->diag, use->where,
				   "an unmatched anchor has no partner; only the anchor can be "
				   "asked here");
			return false;
		}
	}
	return true;
}

/*
 * The event whose attributes tell the members of a family apart: an interval's anchor stands for
 * it.
 */
static const struct event_type *grouped_event(const struct subject *s)
{
	return s->event ? s->event : end_event(&s->interval->anchor);
}

bool check_per(struct checker *c, struct source_node *s)
{
	const char *name = c->per.text;
	const struct event_type *e = grouped_event(&s->subject);

	if (!name)
		return true;
	if (strcmp(name, "thread") == 0) {
		s->per = PER_THREAD;
		return true;
	}
	s->per = PER_ATTRIBUTE;
	s->per_attribute = e ? event_attribute(e, name) : -1;
	if (s->per_attribute >= 0 && type_is_integer(e->attributes[s->per_attribute].type))
		return true;
	if (s->per_attribute >= 0)
		diag_error(c->diag, c->per.where,
			   "'%s' is no whole number; only threads and whole numbers "
			   "make families",
			   name);
	else
		diag_error(c->diag, c->per.where,
			   "there is no attribute '%s' to tell the members of a "
			   "family apart; write 'per thread' or an attribute",
			   name);
	return false;
}
