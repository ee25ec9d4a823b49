#include "viewers/nibble/expr/checker.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* Tells that nothing is called so, with the nearest name that something has. */
static void refuse_name(struct checker *c, const struct ast_name *name, const char *what,
			const char *const *names, size_t n)
{
	const char *near = diag_nearest(name->text, names, n);

	if (near)
		diag_error(c->diag, name->where, "there is no %s '%s'; did you mean '%s'?", what,
			   name->text, near);
	else
		diag_error(c->diag, name->where, "there is no %s '%s' in the specification", what,
			   name->text);
}

static bool check_name(struct checker *c, const struct ast_name *name, struct subject *s)
{
	const struct spec *spec = c->spec;
	const char **names;
	size_t n = 0;

	s->event = spec_event(spec, name->text);
	s->interval = s->event ? NULL : spec_interval(spec, name->text);
	if (s->event || s->interval)
		return true;
	names = array_zero(spec->nevents + spec->nintervals, sizeof *names);
	for (unsigned i = 0; i < spec->nevents; i++)
		names[n++] = spec->events[i]->name;
	for (unsigned i = 0; i < spec->nintervals; i++)
		names[n++] = spec->intervals[i]->name;
	refuse_name(c, name, "event or interval", names, n);
	free(names);
	return false;
}

static bool check_attribute(struct checker *c, const struct ast_name *name, struct subject *s)
{
	const struct event_type *e = s->event;
	const char **names;

	s->attribute = event_attribute(e, name->text);
	if (s->attribute >= 0 && e->attributes[s->attribute].type == TYPE_STRING) {
		diag_error(c->diag, name->where, "%s is a text; a series needs a number",
			   name->text);
		return false;
	}
	if (s->attribute >= 0)
		return true;
	names = array_zero(e->nattributes, sizeof *names);
	for (unsigned i = 0; i < e->nattributes; i++)
		names[i] = e->attributes[i].name;
	refuse_name(c, name, "attribute", names, e->nattributes);
	free(names);
	return false;
}

static bool check_metric(struct checker *c, const struct ast_name *name, struct subject *s)
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
	refuse_name(c, name, "metric", names, interval->nmetrics + 1);
	free(names);
	return false;
}

bool check_subject(struct checker *c, const struct ast_expr *e, struct source_node *s)
{
	switch (e->kind) {
	case AST_NAME:
		return check_name(c, &e->name, &s->subject);
	case AST_SELECT:
		if (!check_subject(c, e->left, s))
			return false;
		for (const struct ast_argument *item = e->arguments; item; item = item->next)
			if (!check_selection(c, item, s))
				return false;
		return true;
	case AST_MEMBER:
		if (!check_subject(c, e->left, s))
			return false;
		if (s->subject.has_value) {
			diag_error(c->diag, e->name.where, "a value has nothing like '%s'",
				   e->name.text);
			return false;
		}
		s->subject.has_value = true;
		return s->subject.event ? check_attribute(c, &e->name, &s->subject)
					: check_metric(c, &e->name, &s->subject);
	default:
		diag_error(c->diag, e->where, "the name of an event or interval must stand here");
		return false;
	}
}
