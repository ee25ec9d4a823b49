#include "viewers/nibble/expr/checker.h"

#include "base/array.h"

#include <string.h>

/* The dimension of what the function makes of values of dimension d. */
static struct dimension result_dimension(enum function_kind kind, struct dimension d)
{
	switch (kind) {
	case FUNCTION_COUNT:
	case FUNCTION_OPEN:
	case FUNCTION_UNMATCHED:
	case FUNCTION_HIST:
		return DIMENSION_EVENTS;
	case FUNCTION_RATE:
		return DIMENSION_RATE;
	case FUNCTION_TIME:
		return DIMENSION_TIME;
	case FUNCTION_BUSY:
	case FUNCTION_CDF:
	case FUNCTION_NORMALIZE:
		return DIMENSION_NONE;
	default:
		return d;
	}
}

/* A time that is more than none: "5 ms". */
static bool check_time(struct checker *c, const struct ast_expr *e, const char *what, double *ns)
{
	if (e->kind == AST_NUMBER && e->number.dimension == AST_TIME && e->number.real >= 1) {
		*ns = e->number.real;
		return true;
	}
	diag_error(c->diag, e->where, "%s is a time with its unit, such as 5 ms", what);
	return false;
}

static bool check_bins(struct checker *c, const struct ast_expr *e, unsigned *bins)
{
	if (e->kind == AST_NUMBER && e->number.dimension == AST_PLAIN && !e->number.is_real &&
	    e->number.real >= 1 && e->number.real <= 10000) {
		*bins = (unsigned)e->number.real;
		return true;
	}
	diag_error(c->diag, e->where, "bins is a whole number from 1 to 10000");
	return false;
}

static bool check_option(struct checker *c, const struct function *f, const struct ast_argument *a,
			 struct node *n)
{
	const char *key = a->key.text;

	if (!key) {
		diag_error(c->diag, a->where, "%s takes no second argument of this kind: %s",
			   f->name, f->example);
		return false;
	}
	if ((f->options & OPTION_WINDOW) && strcmp(key, "window") == 0)
		return check_time(c, a->value, "a window", &n->source.window);
	if ((f->options & OPTION_BINS) && strcmp(key, "bins") == 0)
		return check_bins(c, a->value, &n->source.bins);
	diag_error(c->diag, a->key.where, "%s has no option '%s'%s", f->name, key,
		   f->options & OPTION_WINDOW ? "; there is: window 5 ms"
		   : f->options & OPTION_BINS ? "; there is: bins 20"
					      : "");
	return false;
}

/* "mean(Transit)" lacks what "mean(Transit.time)" has, and the other way about. */
static bool check_takes(struct checker *c, const struct function *f, const struct ast_expr *e,
			const struct subject *s)
{
	const char *name = s->interval ? s->interval->name : s->event->name;

	if (s->has_value && !(f->takes & TAKES_VALUE))
		diag_error(c->diag, e->where, "%s takes no value, only the name: %s(%s)", f->name,
			   f->name, name);
	else if (s->has_value)
		return true;
	else if (f->takes & TAKES_VALUE)
		diag_error(c->diag, e->where, "%s of what of %s? Write %s(%s.%s)", f->name, name,
			   f->name, name,
			   s->interval		       ? "time"
			   : s->event->nattributes > 0 ? s->event->attributes[0].name
						       : "ATTRIBUTE");
	else if (s->event && !(f->takes & TAKES_EVENT))
		diag_error(c->diag, e->where, "%s takes an interval, and %s is an event", f->name,
			   name);
	else
		return true;
	return false;
}

static bool check_of_trace(struct checker *c, const struct ast_expr *e, struct node *n)
{
	const struct function *f = n->function;
	bool fine = check_subject(c, e->arguments->value, &n->source) &&
		    check_takes(c, f, e->arguments->value, &n->source.subject) &&
		    check_per(c, &n->source) &&
		    (f->kind != FUNCTION_UNMATCHED || check_unmatched(c, &n->source));

	for (const struct ast_argument *a = e->arguments->next; a; a = a->next)
		fine = check_option(c, f, a, n) && fine;
	if (!fine)
		return false;
	n->dimension = result_dimension(f->kind, subject_dimension(&n->source.subject));
	n->distribution = f->kind == FUNCTION_HIST || f->kind == FUNCTION_CDF;
	return true;
}

static bool check_length(struct checker *c, const struct ast_expr *e, struct node *n)
{
	const struct ast_argument *length = e->arguments->next;

	if (!(n->function->options & OPTION_LENGTH)) {
		if (!length)
			return true;
		diag_error(c->diag, length->where, "%s takes one series", n->function->name);
		return false;
	}
	if (!length || length->key.text || length->next) {
		diag_error(c->diag, e->where, "%s takes a series and a time: %s", n->function->name,
			   n->function->example);
		return false;
	}
	return check_time(c, length->value, "the second argument", &n->number);
}

static bool check_of_series(struct checker *c, const struct ast_expr *e, struct node *n)
{
	n->left = check_expression(c, e->arguments->value);
	if (!n->left || !check_computable(c, n->left) || !check_length(c, e, n))
		return false;
	if (n->left->distribution) {
		diag_error(c->diag, n->left->where,
			   "%s needs a series over time, and this is a distribution",
			   n->function->name);
		return false;
	}
	if (n->left->kind == NODE_CONSTANT) {
		diag_error(c->diag, n->left->where, "%s needs a series, and this is a number",
			   n->function->name);
		return false;
	}
	n->dimension = result_dimension(n->function->kind, n->left->dimension);
	return true;
}

static void refuse_function(struct checker *c, const struct ast_expr *e)
{
	const char *name = e->name.text, *near = function_nearest(name);

	if (near)
		diag_error(c->diag, e->name.where, "there is no function '%s'; did you mean '%s'?",
			   name, near);
	else
		diag_error(c->diag, e->name.where,
			   "there is no function '%s'; nibble --help lists them", name);
}

struct node *check_call(struct checker *c, const struct ast_expr *e)
{
	double quantile;
	const struct function *f = function_find(e->name.text, &quantile);
	struct node *n;
	bool fine;

	if (!f) {
		refuse_function(c, e);
		return NULL;
	}
	if (!e->arguments || e->arguments->key.text) {
		diag_error(c->diag, e->where, "%s of what? Write %s", f->name, f->example);
		return NULL;
	}
	n = array_zero(1, sizeof *n);
	n->kind = f->takes & TAKES_SERIES ? NODE_TRANSFORM : NODE_SOURCE;
	n->where = e->where;
	n->function = f;
	n->source.quantile = quantile;
	n->source.subject.attribute = -1;
	fine = n->kind == NODE_SOURCE ? check_of_trace(c, e, n) : check_of_series(c, e, n);
	if (!fine) {
		node_free(n);
		return NULL;
	}
	return n;
}
