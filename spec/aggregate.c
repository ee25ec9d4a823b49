#include "spec/aggregate.h"
#include "base/array.h"
#include "base/nearest.h"
#include "spec/names.h"
#include <stdlib.h>
#include <string.h>

static const char *const functions[] = {
    [AGGREGATE_COUNT] = "count",  [AGGREGATE_UNMATCHED] = "unmatched", [AGGREGATE_MIN] = "min",
    [AGGREGATE_MAX] = "max",      [AGGREGATE_MEAN] = "mean",           [AGGREGATE_SUM] = "sum",
    [AGGREGATE_QUANTILE] = "p50", [AGGREGATE_RATE] = "rate",
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool aggregate_quantile_find(const char *name, double *quantile)
{
	if (name[0] != 'p' || strspn(name + 1, "0123456789.") != strlen(name + 1) || !name[1])
		return false;
	double percent = strtod(name + 1, NULL);
	*quantile = percent / 100;
	return percent <= 100;
}

/* Finds the function of a name ("count", "p99.9"). Returns false if there is none. */
static bool function_find(const char *name, enum aggregate_function *function, double *quantile)
{
	*quantile = 0;
	*function = AGGREGATE_QUANTILE;
	if (aggregate_quantile_find(name, quantile))
		return true;
	for (int i = 0; i < FUNCTIONS; i++) {
		if (strcmp(functions[i], name) == 0) {
			*function = (enum aggregate_function)i;
			return true;
		}
	}
	return false;
}

/* Returns whether a function counts events or instances; the others are of their values. */
static bool counts(enum aggregate_function f)
{
	return f == AGGREGATE_COUNT || f == AGGREGATE_UNMATCHED || f == AGGREGATE_RATE;
}

static bool subject_find(const struct scope *s, const struct ast_name *name, struct aggregate *a)
{
	a->event = spec_event(s->spec, name->text);
	a->interval = spec_interval(s->spec, name->text);
	if (a->event || a->interval)
		return true;
	const char *near = nearest_interval(s->spec, name->text);
	diag_unknown(s->diag, name->where, near ? near : nearest_event(s->spec, name->text),
		     "no event or interval '%s'", name->text);
	return false;
}

static bool metric_find(const struct scope *s, const struct ast_name *name, struct aggregate *a)
{
	if (strcmp(name->text, "time") == 0)
		return true;
	for (unsigned i = 0; i < a->interval->nmetrics; i++)
		if (strcmp(a->interval->metrics[i].name, name->text) == 0)
			a->metric = &a->interval->metrics[i];
	if (a->metric)
		return a->metric->value != NULL;
	/* The error was about the ends: the metrics are not known. */
	if (!end_event(&a->interval->anchor) || !end_event(&a->interval->partner))
		return false;
	static const char *const always[] = {"time"};
	const char *near = nearest_metric(a->interval, name->text);
	diag_unknown(s->diag, name->where, near ? near : nearest_name(name->text, always, 1),
		     "interval %s has no metric '%s'", a->interval->name, name->text);
	return false;
}

static bool attribute_find(const struct scope *s, const struct ast_name *name, struct aggregate *a)
{
	a->attribute = event_attribute(a->event, name->text);
	if (a->attribute < 0) {
		diag_unknown(s->diag, name->where, nearest_attribute(a->event, name->text),
			     "%s has no attribute '%s'", a->event->name, name->text);
		return false;
	}
	enum type type = a->event->attributes[a->attribute].type;
	if (type != TYPE_STRING && !type_is_symbolic(type))
		return true;
	diag_error(s->diag, name->where, "'%s' is %s; this statistic needs numbers", name->text,
		   type == TYPE_STRING ? "a string" : "an address");
	return false;
}

static bool value_find(const struct scope *s, const struct ast_expr *e, struct aggregate *a)
{
	if (e->left->kind != AST_NAME) {
		diag_error(s->diag, e->left->where, "expected the name of an event or interval");
		return false;
	}
	if (!subject_find(s, &e->left->name, a))
		return false;
	return a->interval ? metric_find(s, &e->name, a) : attribute_find(s, &e->name, a);
}

static bool counted_find(const struct scope *s, const struct ast_expr *call,
			 const struct ast_expr *e, struct aggregate *a)
{
	if (e->kind == AST_SELECT || e->kind == AST_PER) {
		series_error(s, e);
		return false;
	}
	if (e->kind != AST_NAME) {
		diag_error(s->diag, e->where, "%s() takes the name of an event or interval",
			   call->name.text);
		return false;
	}
	if (!subject_find(s, &e->name, a))
		return false;
	if (a->function != AGGREGATE_UNMATCHED || a->interval)
		return true;
	diag_error(s->diag, e->where, "%s is an event; only intervals have unmatched events",
		   e->name.text);
	return false;
}

static bool argument_find(const struct scope *s, const struct ast_expr *call, struct aggregate *a)
{
	const struct ast_argument *argument = call->arguments;
	if (!argument || argument->next || argument->key.text) {
		diag_error(s->diag, call->where, "%s() takes one argument", call->name.text);
		return false;
	}
	const struct ast_expr *e = argument->value;
	if (counts(a->function))
		return counted_find(s, call, e, a);
	if (e->kind == AST_MEMBER)
		return value_find(s, e, a);
	diag_error(s->diag, e->where,
		   "%s() takes a value: INTERVAL.time, INTERVAL.metric or EVENT.attribute",
		   call->name.text);
	return false;
}

/* Sets the kind and unit of an aggregate, which depend on the value that it is taken from. */
static void result_type(struct expr *x)
{
	const struct aggregate *a = x->aggregate;
	x->kind = VALUE_INT;
	if (!counts(a->function) && a->interval) {
		x->unit = a->metric ? a->metric->value->unit : UNIT_TIME;
		x->kind = a->metric ? a->metric->value->kind : VALUE_INT;
	} else if (!counts(a->function)) {
		bool real = a->event->attributes[a->attribute].type == TYPE_DOUBLE;
		x->kind = real ? VALUE_REAL : VALUE_INT;
	}
	if (a->function == AGGREGATE_MEAN || a->function == AGGREGATE_RATE)
		x->kind = VALUE_REAL;
}

void series_error(const struct scope *s, const struct ast_expr *e)
{
	diag_error(s->diag, e->where, "%s is allowed only in series expressions",
		   e->kind == AST_PER ? "'per'" : "a selection in brackets");
}

struct expr *aggregate_check(const struct scope *s, const struct ast_expr *e)
{
	struct aggregate a = {.attribute = -1};
	if (!function_find(e->name.text, &a.function, &a.quantile)) {
		diag_unknown(s->diag, e->name.where,
			     nearest_name(e->name.text, functions, FUNCTIONS),
			     "unknown function '%s'", e->name.text);
		return NULL;
	}
	if (!s->aggregates) {
		diag_error(s->diag, e->where,
			   "%s() is computed over a whole trace; use it in 'assert EXPRESSION;' "
			   "only",
			   e->name.text);
		return NULL;
	}
	if (!argument_find(s, e, &a))
		return NULL;
	struct expr *x = expr_new(EXPR_AGGREGATE, VALUE_INT, e->where);
	x->aggregate = array_new(1, sizeof a);
	*x->aggregate = a;
	result_type(x);
	return x;
}
