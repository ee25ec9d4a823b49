#include "spec/check.h"
#include "spec/resolver.h"

#include <string.h>

/* The type of an attribute decides the kind of its value. */
static enum value_kind attribute_kind(enum type t)
{
	return t == TYPE_STRING ? VALUE_STRING : t == TYPE_DOUBLE ? VALUE_REAL : VALUE_INT;
}

static struct expr *intrinsic_expr(const char *name, struct span where, enum side side)
{
	struct expr *x = NULL;
	if (strcmp(name, "time") == 0) {
		x = expr_new(EXPR_TIME, VALUE_INT, where);
		x->unit = UNIT_TIME;
	} else if (strcmp(name, "thread") == 0) {
		x = expr_new(EXPR_THREAD, VALUE_INT, where);
	} else if (strcmp(name, "owner") == 0) {
		x = expr_new(EXPR_OWNER, VALUE_STRING, where);
	}
	if (x)
		x->side = side;
	return x;
}

/*
 * An attribute of the event at one side, its own or one that every event has; NULL if there is
 * none.
 */
static struct expr *attribute_expr(const struct event_type *event, const char *name,
				   struct span where, enum side side)
{
	int index = event_attribute(event, name);
	if (index < 0)
		return intrinsic_expr(name, where, side);
	struct expr *x =
	    expr_new(EXPR_ATTRIBUTE, attribute_kind(event->attributes[index].type), where);
	x->side = side;
	x->event = event;
	x->attribute = (unsigned)index;
	return x;
}

static void attribute_unknown(const struct scope *s, const struct event_type *event,
			      const struct ast_name *name)
{
	static const char *const intrinsic[] = {"time", "thread", "owner"};
	const char *near = nearest_attribute(event, name->text);
	error_unknown(s->diag, name->where, near ? near : diag_nearest(name->text, intrinsic, 3),
		      "%s has no attribute '%s'", event->name, name->text);
	diag_note(s->diag, event->where, "%s is specified here", event->name);
}

static const struct interval_end *alias_find(const struct scope *s, const char *name,
					     enum side *side)
{
	if (!s->interval)
		return NULL;
	const struct interval_end *ends[] = {&s->interval->anchor, &s->interval->partner};
	for (int i = 0; i < 2; i++) {
		if (ends[i]->alias && strcmp(ends[i]->alias, name) == 0) {
			*side = (enum side)i;
			return ends[i];
		}
	}
	return NULL;
}

static void alias_unknown(const struct scope *s, const struct ast_name *name)
{
	if (!s->interval) {
		diag_error(s->diag, name->where,
			   "no alias can stand here: the expression is of no interval");
		return;
	}
	const struct interval_end *ends[] = {&s->interval->anchor, &s->interval->partner};
	const struct interval_end *nameless = NULL;
	const char *names[2];
	size_t n = 0;
	for (int i = 0; i < 2; i++) {
		const struct interval_end *end = ends[i];
		if (end->alias)
			names[n++] = end->alias;
		else if (!nameless || strcmp(end_event(end)->name, name->text) == 0)
			nameless = end;
	}
	error_unknown(s->diag, name->where, diag_nearest(name->text, names, n),
		      "no alias '%s' in interval %s", name->text, s->interval->name);
	if (nameless)
		diag_note(s->diag, nameless->where, "an alias is given as in a:%s",
			  end_event(nameless)->name);
	else
		diag_note(s->diag, s->interval->where, "its aliases are '%s' and '%s'", names[0],
			  names[1]);
}

struct expr *member_check(const struct scope *s, const struct ast_expr *e)
{
	enum side side;
	if (e->left->kind != AST_NAME) {
		diag_error(s->diag, e->left->where, "an alias must stand before '.'");
		return NULL;
	}
	const struct interval_end *end = alias_find(s, e->left->name.text, &side);
	if (!end) {
		alias_unknown(s, &e->left->name);
		return NULL;
	}
	struct expr *x = attribute_expr(end_event(end), e->name.text, e->where, side);
	if (!x)
		attribute_unknown(s, end_event(end), &e->name);
	return x;
}

static struct expr *metric_expr(const struct interval *i, const struct ast_expr *e)
{
	for (unsigned k = 0; k < i->nmetrics; k++) {
		const struct metric *m = &i->metrics[k];
		if (strcmp(m->name, e->name.text) != 0 || !m->value)
			continue;
		struct expr *x = expr_new(EXPR_METRIC, m->value->kind, e->where);
		x->unit = m->value->unit;
		x->metric = m;
		return x;
	}
	return NULL;
}

static struct expr *duration_expr(const struct scope *s, const struct ast_expr *e)
{
	if (strcmp(e->name.text, "time") != 0)
		return metric_expr(s->interval, e);
	struct expr *x = expr_new(EXPR_DURATION, VALUE_INT, e->where);
	x->unit = UNIT_TIME;
	return x;
}

static void name_unknown(const struct scope *s, const struct ast_expr *e)
{
	const char *name = e->name.text;
	enum side side;
	const struct interval_end *end = alias_find(s, name, &side);
	if (end)
		diag_error(s->diag, e->where, "'%s' is an alias; which attribute of %s is meant?",
			   name, end_event(end)->name);
	else if (s->interval && !s->duration && strcmp(name, "time") == 0)
		diag_error(s->diag, e->where,
			   "the duration is known only when the pair is found; subtract the "
			   "aliases' times");
	else if (s->interval)
		error_unknown(s->diag, e->where, nearest_metric(s->interval, name),
			      "unknown name '%s'; attributes are written with their alias: %s.%s",
			      name, s->interval->anchor.alias ? s->interval->anchor.alias : "a",
			      name);
	else
		diag_error(s->diag, e->where,
			   "'%s' has no value here; assertions over a whole trace use count(), "
			   "mean(), p99(), ...",
			   name);
}

struct expr *name_check_expr(const struct scope *s, const struct ast_expr *e)
{
	if (s->event) {
		struct expr *x = attribute_expr(s->event, e->name.text, e->where, SIDE_ANCHOR);
		if (!x)
			attribute_unknown(s, s->event, &e->name);
		return x;
	}
	struct expr *x = s->interval && s->duration ? duration_expr(s, e) : NULL;
	if (!x)
		name_unknown(s, e);
	return x;
}
