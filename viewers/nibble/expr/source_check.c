#include "viewers/nibble/expr/source_check.h"
#include "base/array.h"
#include "base/nearest.h"
#include "spec/expr_check.h"
#include "spec/types.h"
#include <stdlib.h>
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
		   "expected a thread number or name: thread=0 or thread=\"worker*\"");
	return false;
}

static bool check_selection(struct checker *c, const struct ast_argument *item,
			    struct source_node *s)
{
	struct expr *condition;

	if (!item->is_where && strcmp(item->key.text, "thread") == 0)
		return check_thread(c, item->value, s);
	if (!item->is_where) {
		diag_error(c->diag, item->key.where,
			   "expected thread=... or where ...; to compare an attribute, "
			   "write [where %s == ...]",
			   item->key.text);
		return false;
	}
	if (s->subject.samples) {
		diag_error(c->diag, item->where,
			   "samples can be selected by thread=... only; for a "
			   "function, write sample(function \"parse\")");
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

/*
 * Returns the part of an expression that asks for the partner or for what only a pair has, or NULL.
 */
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
	case EXPR_PROCESS:
		return e->side == SIDE_PARTNER ? e : NULL;
	case EXPR_DURATION:
	case EXPR_METRIC:
		return e;
	default:
		use = partner_use(e->left);
		return use ? use : partner_use(e->right);
	}
}

/* Notes whether what is asked of an instance needs more than its anchor. */
static void note_partner(struct source_node *s)
{
	const struct metric *metric = s->subject.metric;

	s->asks_partner = s->subject.has_value && !metric;
	if (metric && partner_use(metric->value))
		s->asks_partner = true;
	for (const struct source_selection *i = s->selections; i; i = i->next)
		if (partner_use(i->condition))
			s->asks_partner = true;
}

static bool refuse_partner(struct checker *c, const struct expr *use)
{
	diag_error(c->diag, use->where,
		   "an unmatched anchor has no partner; use only the anchor's attributes here");
	return false;
}

bool source_check_unmatched(struct checker *c, const struct source_node *s)
{
	const struct expr *use;

	for (const struct source_selection *i = s->selections; i; i = i->next) {
		use = partner_use(i->condition);
		if (use)
			return refuse_partner(c, use);
	}
	use = s->per_expression ? partner_use(s->per_expression) : NULL;
	return !use || refuse_partner(c, use);
}

/*
 * Returns the event whose attributes tell the members of a family apart: of an interval its anchor.
 */
static const struct event_type *grouped_event(const struct expr_subject *s)
{
	return s->event ? s->event : end_event(&s->interval->anchor);
}

/* Checks a family that is told apart by the values of an expression. */
static bool check_per_expression(struct checker *c, struct source_node *s, struct diag *diag)
{
	const struct ast_expr *e = c->per->right;

	s->per = PER_EXPRESSION;
	s->per_text = c->per->name.text;
	s->per_expression = s->subject.event ? event_key(c->spec, s->subject.event, e, diag)
					     : interval_key(c->spec, s->subject.interval, e, diag);
	if (s->per_expression && partner_use(s->per_expression))
		s->asks_partner = true;
	return s->per_expression;
}

/* The same of a single name, such as "kernel" or "process". */
static bool check_per_name(struct checker *c, struct source_node *s)
{
	struct diag quiet = {.out = NULL};

	if (check_per_expression(c, s, &quiet))
		return true;
	diag_error(c->diag, c->per->name.where,
		   "there is no attribute '%s'; after 'per', write thread, an attribute, or an "
		   "expression in parentheses",
		   c->per->name.text);
	return false;
}

/* Samples have no attributes. */
static bool check_per_samples(struct checker *c, struct source_node *s)
{
	s->per = PER_THREAD;
	if (c->per->right->kind == AST_NAME && strcmp(c->per->name.text, "thread") == 0)
		return true;
	diag_error(c->diag, c->per->name.where,
		   "samples have no attributes; only 'per thread' divides them");
	return false;
}

bool source_check_per(struct checker *c, struct source_node *s)
{
	const char *name = c->per ? c->per->name.text : NULL;
	const struct event_type *e;

	note_partner(s);
	if (!c->per)
		return true;
	if (s->subject.samples)
		return check_per_samples(c, s);
	e = grouped_event(&s->subject);
	if (c->per->right->kind != AST_NAME)
		return check_per_expression(c, s, c->diag);
	if (strcmp(name, "thread") == 0) {
		s->per = PER_THREAD;
		return true;
	}
	s->per_attribute = e ? event_attribute(e, name) : -1;
	if (s->per_attribute < 0 || !type_is_integer(e->attributes[s->per_attribute].type))
		return check_per_name(c, s);
	s->per = PER_ATTRIBUTE;
	return true;
}

/* Reports that nothing has this name, with the nearest one that something has. */
static void source_refuse_name(struct checker *c, const struct ast_name *name, const char *what,
			       const char *const *names, size_t n)
{
	const char *near = nearest_name(name->text, names, n);

	diag_unknown(c->diag, name->where, near,
		     near ? "there is no %s '%s'" : "there is no %s '%s' in the specification",
		     what, name->text);
}

enum interval_kind source_kind(const struct checker *c, const struct ast_expr *e)
{
	enum interval_kind kind;
	const char *name;

	while (e->kind == AST_SELECT || e->kind == AST_MEMBER)
		e = e->left;
	name = e->name.text;
	if (e->kind != AST_NAME || spec_event(c->spec, name) || spec_interval(c->spec, name))
		return KIND_NONE;
	return interval_kind_find(name, &kind) ? kind : KIND_NONE;
}

static bool check_name(struct checker *c, const struct ast_name *name, struct expr_subject *s)
{
	const struct spec *spec = c->spec;
	const char **names;
	size_t n = 0;

	s->event = spec_event(spec, name->text);
	s->interval = s->event ? NULL : spec_interval(spec, name->text);
	if (!s->event && !s->interval)
		s->interval = c->member;
	if (s->event || s->interval)
		return true;
	names = array_zero(spec->nevents + spec->nintervals, sizeof *names);
	for (unsigned i = 0; i < spec->nevents; i++)
		names[n++] = spec->events[i]->name;
	for (unsigned i = 0; i < spec->nintervals; i++)
		names[n++] = spec->intervals[i]->name;
	source_refuse_name(c, name, "event or interval", names, n);
	free(names);
	return false;
}

static bool is_measured(enum type t)
{
	return t != TYPE_STRING && !type_is_symbolic(t);
}

static bool check_event_attribute(struct checker *c, const struct ast_name *name,
				  struct expr_subject *s)
{
	const struct event_type *e = s->event;
	const char **names;

	s->attribute = event_attribute(e, name->text);
	if (s->attribute >= 0 && !is_measured(e->attributes[s->attribute].type)) {
		diag_error(
		    c->diag, name->where, "%s is %s, but a series needs a number", name->text,
		    e->attributes[s->attribute].type == TYPE_STRING ? "a text" : "an address");
		return false;
	}
	if (s->attribute >= 0)
		return true;
	names = array_zero(e->nattributes, sizeof *names);
	for (unsigned i = 0; i < e->nattributes; i++)
		names[i] = e->attributes[i].name;
	source_refuse_name(c, name, "attribute", names, e->nattributes);
	free(names);
	return false;
}

static bool check_metric(struct checker *c, const struct ast_name *name, struct expr_subject *s)
{
	const struct interval *interval = s->interval;
	const char **names;

	if (strcmp(name->text, "time") == 0)
		return true;
	for (unsigned i = 0; i < interval->nmetrics; i++)
		if (strcmp(interval->metrics[i].name, name->text) == 0)
			s->metric = &interval->metrics[i];
	if (s->metric)
		return true;
	names = array_zero(interval->nmetrics + 1, sizeof *names);
	for (unsigned i = 0; i < interval->nmetrics; i++)
		names[i] = interval->metrics[i].name;
	names[interval->nmetrics] = "time";
	source_refuse_name(c, name, "metric", names, interval->nmetrics + 1);
	free(names);
	return false;
}

/* Checks sample(function "parse", thread "worker*"). */
static bool check_samples(struct checker *c, const struct ast_expr *e, struct expr_subject *s)
{
	s->samples = array_zero(1, sizeof *s->samples);
	for (const struct ast_argument *a = e->arguments; a; a = a->next) {
		const char *key = a->key.text ? a->key.text : "";
		char **text = strcmp(key, "function") == 0 ? &s->samples->function
			      : strcmp(key, "self") == 0   ? &s->samples->self
			      : strcmp(key, "thread") == 0 ? &s->samples->thread
							   : NULL;

		if (!text || *text || a->value->kind != AST_STRING) {
			diag_error(c->diag, a->where,
				   "a sample can have function, self and thread, each once: "
				   "sample(function \"parse\", thread \"worker*\")");
			return false;
		}
		*text = text_format("%s", a->value->name.text);
	}
	if (e->arguments)
		return true;
	diag_error(c->diag, e->where,
		   "sample() needs a function or thread, such as sample(function \"parse\")");
	return false;
}

bool source_check_subject(struct checker *c, const struct ast_expr *e, struct source_node *s)
{
	switch (e->kind) {
	case AST_NAME:
		return check_name(c, &e->name, &s->subject);
	case AST_SELECT:
		if (!source_check_subject(c, e->left, s))
			return false;
		for (const struct ast_argument *item = e->arguments; item; item = item->next)
			if (!check_selection(c, item, s))
				return false;
		return true;
	case AST_CALL:
		if (strcmp(e->name.text, "sample") == 0)
			return check_samples(c, e, &s->subject);
		diag_error(c->diag, e->where,
			   "expected the name of an event or interval, or sample(...)");
		return false;
	case AST_MEMBER:
		if (!source_check_subject(c, e->left, s))
			return false;
		if (s->subject.has_value || s->subject.samples) {
			diag_error(c->diag, e->name.where, "%s has no attribute '%s'",
				   s->subject.samples ? "a sample" : "a value", e->name.text);
			return false;
		}
		s->subject.has_value = true;
		return s->subject.event ? check_event_attribute(c, &e->name, &s->subject)
					: check_metric(c, &e->name, &s->subject);
	default:
		diag_error(c->diag, e->where, "expected the name of an event or interval");
		return false;
	}
}
