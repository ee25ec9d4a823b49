#include "viewers/nibble/expr/series_check.h"
#include "base/array.h"
#include "viewers/nibble/expr/source_check.h"
#include <string.h>

/*
 * Expressions contain calls, which contain expressions. On an error these functions report to diag
 * and return NULL or false.
 */
static struct node *check_expression(struct checker *c, const struct ast_expr *e);

static struct node *series_node_new(enum node_kind kind, const struct ast_expr *e)
{
	struct node *n = array_zero(1, sizeof *n);

	n->kind = kind;
	n->where = e->where;
	return n;
}

static struct node *check_number(const struct ast_expr *e)
{
	struct node *n = series_node_new(NODE_CONSTANT, e);

	n->number = e->number.real;
	n->dimension.time = e->number.dimension == AST_TIME;
	n->dimension.bytes = e->number.dimension == AST_BYTES;
	return n;
}

static bool check_computable(struct checker *c, const struct node *n)
{
	if ((n->kind != NODE_SOURCE && n->kind != NODE_EACH) ||
	    (n->function->kind != FUNCTION_HEAT && n->function->kind != FUNCTION_BOTTLE))
		return true;
	diag_error(c->diag, n->where, "%s can only be drawn; it cannot be part of a computation",
		   n->function->name);
	return false;
}

/* Returns the dimension of a function's result for values of dimension d. */
static struct dimension series_result_dimension(enum function_kind kind, struct dimension d)
{
	switch (kind) {
	case FUNCTION_COUNT:
	case FUNCTION_PARALLEL:
	case FUNCTION_BOTTLE:
	case FUNCTION_UNMATCHED:
	case FUNCTION_HIST:
		return DIMENSION_EVENTS;
	case FUNCTION_RATE:
		return DIMENSION_RATE;
	case FUNCTION_TIME:
		return DIMENSION_TIME;
	case FUNCTION_BUSY:
	case FUNCTION_SHARE:
	case FUNCTION_CDF:
	case FUNCTION_NORMALIZE:
		return DIMENSION_NONE;
	default:
		return d;
	}
}

/* Reads a time of at least a nanosecond: "5 ms". */
static bool check_time(struct checker *c, const struct ast_expr *e, const char *what, double *ns)
{
	if (e->kind == AST_NUMBER && e->number.dimension == AST_TIME && e->number.real >= 1) {
		*ns = e->number.real;
		return true;
	}
	diag_error(c->diag, e->where, "%s must be a time with its unit, such as 5 ms", what);
	return false;
}

static bool check_bins(struct checker *c, const struct ast_expr *e, unsigned *bins)
{
	if (e->kind == AST_NUMBER && e->number.dimension == AST_PLAIN && !e->number.is_real &&
	    e->number.real >= 1 && e->number.real <= 10000) {
		*bins = (unsigned)e->number.real;
		return true;
	}
	diag_error(c->diag, e->where, "bins must be a whole number from 1 to 10000");
	return false;
}

static bool check_option(struct checker *c, const struct function *f, const struct ast_argument *a,
			 struct node *n)
{
	const char *key = a->key.text;

	if (!key) {
		diag_error(c->diag, a->where, "%s takes no second argument of this kind; write %s",
			   f->name, f->example);
		return false;
	}
	if ((f->options & OPTION_WINDOW) && strcmp(key, "window") == 0)
		return check_time(c, a->value, "a window", &n->source.window);
	if ((f->options & OPTION_BINS) && strcmp(key, "bins") == 0)
		return check_bins(c, a->value, &n->source.bins);
	diag_error(c->diag, a->key.where, "%s has no option '%s'%s", f->name, key,
		   f->options & OPTION_WINDOW ? "; it has: window 5 ms"
		   : f->options & OPTION_BINS ? "; it has: bins 20"
					      : "");
	return false;
}

/*
 * Refuses "mean(Transit)", which lacks ".time", and "count(Transit.time)", which must not have it.
 */
static bool check_takes(struct checker *c, const struct function *f, const struct ast_expr *e,
			const struct expr_subject *s)
{
	const char *name = s->interval ? s->interval->name : s->event ? s->event->name : "sample";

	if (s->samples && f->kind == FUNCTION_SHARE)
		return true;
	if (s->samples)
		diag_error(c->diag, e->where,
			   "samples have only shares; write share(sample(function \"parse\"))");
	else if (s->event && (f->takes & (TAKES_EVENT | TAKES_INTERVAL)) == TAKES_INTERVAL)
		diag_error(c->diag, e->where, "%s takes an interval, but %s is an event", f->name,
			   name);
	else if (s->has_value && !(f->takes & TAKES_VALUE))
		diag_error(c->diag, e->where, "%s takes only a name, not a value; write %s(%s)",
			   f->name, f->name, name);
	else if (s->has_value || (f->takes & (TAKES_EVENT | TAKES_INTERVAL)))
		return true;
	else
		diag_error(c->diag, e->where, "%s needs a value of %s; write %s(%s.%s)", f->name,
			   name, f->name, name,
			   s->interval                 ? "time"
			   : s->event->nattributes > 0 ? s->event->attributes[0].name
						       : "ATTRIBUTE");
	return false;
}

/* Of functions that take an event or interval, or values of it. */
static struct dimension source_dimension(enum function_kind kind, const struct expr_subject *s)
{
	if (kind == FUNCTION_OPEN && !s->has_value)
		return DIMENSION_EVENTS;
	if (kind == FUNCTION_RATE && s->has_value)
		return dimension_quotient(subject_dimension(s), DIMENSION_TIME);
	return series_result_dimension(kind, subject_dimension(s));
}

static bool check_of_trace(struct checker *c, const struct ast_expr *e, struct node *n)
{
	const struct function *f = n->function;
	bool fine = source_check_subject(c, e->arguments->value, &n->source) &&
		    check_takes(c, f, e->arguments->value, &n->source.subject) &&
		    source_check_per(c, &n->source) &&
		    (f->kind != FUNCTION_UNMATCHED || source_check_unmatched(c, &n->source));

	for (const struct ast_argument *a = e->arguments->next; a; a = a->next)
		fine = check_option(c, f, a, n) && fine;
	if (!fine)
		return false;
	if (f->kind == FUNCTION_BOTTLE && n->source.per == PER_NOTHING)
		n->source.per = PER_THREAD;
	n->dimension = source_dimension(f->kind, &n->source.subject);
	n->distribution =
	    f->kind == FUNCTION_HIST || f->kind == FUNCTION_CDF || f->kind == FUNCTION_BOTTLE;
	return true;
}

/* Reads the second argument of top(). */
static bool check_members(struct checker *c, const struct ast_expr *e, double *members)
{
	if (e->kind == AST_NUMBER && e->number.dimension == AST_PLAIN && !e->number.is_real &&
	    e->number.real >= 1) {
		*members = e->number.real;
		return true;
	}
	diag_error(c->diag, e->where, "the second argument must be a number of members, such as 5");
	return false;
}

/* Reads what stands behind the series. */
static bool check_options(struct checker *c, const struct ast_expr *e, struct node *n)
{
	const struct function *f = n->function;
	const struct ast_argument *more = e->arguments->next;
	bool fine = true;

	if (f->options & (OPTION_LENGTH | OPTION_MEMBERS)) {
		if (more && !more->key.text && !more->next)
			return f->options & OPTION_LENGTH
				   ? check_time(c, more->value, "the second argument", &n->number)
				   : check_members(c, more->value, &n->number);
		diag_error(c->diag, e->where, "%s takes a series and a %s; write %s", f->name,
			   f->options & OPTION_LENGTH ? "time" : "number", f->example);
		return false;
	}
	if (more && !f->options) {
		diag_error(c->diag, more->where, "%s takes only one series", f->name);
		return false;
	}
	for (; more; more = more->next)
		fine = check_option(c, f, more, n) && fine;
	return fine;
}

static bool check_of_series(struct checker *c, const struct ast_expr *e, struct node *n)
{
	enum function_kind kind = n->function->kind;

	n->left = check_expression(c, e->arguments->value);
	if (!n->left || !check_computable(c, n->left) || !check_options(c, e, n))
		return false;
	if (n->left->distribution && kind != FUNCTION_TOP) {
		diag_error(c->diag, n->left->where,
			   "%s needs a series over time, but this is a distribution",
			   n->function->name);
		return false;
	}
	if (n->left->kind == NODE_CONSTANT) {
		diag_error(c->diag, n->left->where, "%s needs a series, but this is a number",
			   n->function->name);
		return false;
	}
	n->distribution = n->left->distribution || kind == FUNCTION_HIST || kind == FUNCTION_CDF;
	n->dimension = kind == FUNCTION_HIST ? DIMENSION_TIME
					     : series_result_dimension(kind, n->left->dimension);
	return true;
}

static void refuse_function(struct checker *c, const struct ast_expr *e)
{
	const char *name = e->name.text, *near = function_nearest(name);

	diag_unknown(c->diag, e->name.where, near,
		     near ? "there is no function '%s'"
			  : "there is no function '%s'; nibble --help lists them",
		     name);
}

/* Tests whether an argument is a series; else it names events or intervals. */
static bool is_series(const struct ast_expr *e)
{
	return e->kind == AST_CALL || e->kind == AST_PER || e->kind == AST_UNARY ||
	       e->kind == AST_BINARY || e->kind == AST_NUMBER;
}

static struct node *check_function(struct checker *c, const struct ast_expr *e,
				   const struct function *f, double quantile)
{
	bool series = (f->takes & TAKES_SERIES) &&
		      (f->takes == TAKES_SERIES || is_series(e->arguments->value));
	struct node *n = series_node_new(series ? NODE_TRANSFORM : NODE_SOURCE, e);
	bool fine;

	n->function = f;
	n->source.quantile = quantile;
	n->source.subject.attribute = -1;
	fine = series ? check_of_series(c, e, n) : check_of_trace(c, e, n);
	if (!fine) {
		node_free(n);
		return NULL;
	}
	return n;
}

/* Adds a node for one interval of a kind to those before it. Takes the node. */
static struct node **each_add(struct node **last, struct node *n, const struct ast_expr *e)
{
	*last = series_node_new(NODE_EACH, e);
	(*last)->function = n->function;
	(*last)->dimension = n->dimension;
	(*last)->distribution = n->distribution;
	(*last)->left = n;
	return &(*last)->right;
}

/* Applies a function to each interval of a kind. */
static struct node *check_kind(struct checker *c, const struct ast_expr *e,
			       const struct function *f, double quantile, enum interval_kind kind)
{
	struct node *all = NULL, **last = &all;

	for (unsigned i = 0; i < c->spec->nintervals; i++) {
		struct node *n;

		if (c->spec->intervals[i]->kind != kind)
			continue;
		c->member = c->spec->intervals[i];
		n = check_function(c, e, f, quantile);
		c->member = NULL;
		if (!n) {
			node_free(all);
			return NULL;
		}
		last = each_add(last, n, e);
	}
	if (!all)
		diag_error(c->diag, e->arguments->value->where,
			   "the specification has no interval of kind '%s'",
			   interval_kind_name(kind));
	return all;
}

static struct node *check_call(struct checker *c, const struct ast_expr *e)
{
	double quantile;
	const struct function *f = function_find(e->name.text, &quantile);
	enum interval_kind kind;

	if (!f) {
		refuse_function(c, e);
		return NULL;
	}
	if (!e->arguments || e->arguments->key.text) {
		diag_error(c->diag, e->where, "%s needs an argument; write %s", f->name,
			   f->example);
		return NULL;
	}
	kind = source_kind(c, e->arguments->value);
	if (kind != KIND_NONE && !(f->takes == TAKES_SERIES))
		return check_kind(c, e, f, quantile, kind);
	return check_function(c, e, f, quantile);
}

static struct node *check_unary(struct checker *c, const struct ast_expr *e)
{
	struct node *n;

	if (e->op != AST_OP_NEGATE) {
		diag_error(c->diag, e->where,
			   "'%s' has no meaning for a series; write conditions in "
			   "[where ...]",
			   ast_op_text(e->op));
		return NULL;
	}
	n = series_node_new(NODE_NEGATE, e);
	n->left = check_expression(c, e->left);
	if (!n->left || !check_computable(c, n->left)) {
		node_free(n);
		return NULL;
	}
	n->dimension = n->left->dimension;
	n->distribution = n->left->distribution;
	return n;
}

static bool operation_of(enum ast_op op, enum arithmetic *result)
{
	switch (op) {
	case AST_OP_ADD:
		*result = OPERATION_ADD;
		return true;
	case AST_OP_SUB:
		*result = OPERATION_SUB;
		return true;
	case AST_OP_MUL:
		*result = OPERATION_MUL;
		return true;
	case AST_OP_DIV:
		*result = OPERATION_DIV;
		return true;
	default:
		return false;
	}
}

/* Checks that the operands have units and axes that go together; sets those of the result. */
static bool check_operands(struct checker *c, struct node *n)
{
	struct dimension a = n->left->dimension, b = n->right->dimension;
	bool sums = n->op == OPERATION_ADD || n->op == OPERATION_SUB;
	char left[80], right[80];

	if (sums && !dimension_adds(a, b)) {
		diag_error(c->diag, n->where, "%s and %s cannot be %s",
			   dimension_words(a, left, sizeof left),
			   dimension_words(b, right, sizeof right),
			   n->op == OPERATION_ADD ? "added" : "subtracted");
		diag_note(c->diag, n->right->where, "this is %s",
			  dimension_words(b, right, sizeof right));
		return false;
	}
	if (n->left->distribution != n->right->distribution && n->left->kind != NODE_CONSTANT &&
	    n->right->kind != NODE_CONSTANT) {
		diag_error(c->diag, n->where,
			   "a distribution and a series over time have no common axis");
		return false;
	}
	n->dimension = sums                     ? dimension_sum(a, b)
		       : n->op == OPERATION_MUL ? dimension_product(a, b)
						: dimension_quotient(a, b);
	n->distribution = n->left->distribution || n->right->distribution;
	return true;
}

static struct node *check_binary(struct checker *c, const struct ast_expr *e)
{
	struct node *n = series_node_new(NODE_COMBINE, e);

	if (!operation_of(e->op, &n->op)) {
		diag_error(c->diag, e->where,
			   "'%s' has no meaning between series; use + - * /, and write "
			   "conditions in [where ...]",
			   ast_op_text(e->op));
		node_free(n);
		return NULL;
	}
	n->left = check_expression(c, e->left);
	n->right = check_expression(c, e->right);
	if (!n->left || !n->right || !check_computable(c, n->left) ||
	    !check_computable(c, n->right) || !check_operands(c, n)) {
		node_free(n);
		return NULL;
	}
	return n;
}

static struct node *check_family(struct checker *c, const struct ast_expr *e)
{
	const struct ast_expr *outer = c->per;
	struct node *n;

	if (outer)
		diag_error(c->diag, e->name.where,
			   "'per %s' is already 'per %s'; remove one of them", e->name.text,
			   outer->name.text);
	c->per = e;
	n = check_expression(c, e->left);
	c->per = outer;
	return n;
}

/* Refuses a name without a function, which was most likely forgotten. */
static struct node *series_refuse_name(struct checker *c, const struct ast_expr *e)
{
	const char *name = e->name.text;

	if (spec_event(c->spec, name))
		diag_error(c->diag, e->where,
			   "%s is an event; write a function of it: count(%s), rate(%s), ...", name,
			   name, name);
	else if (spec_interval(c->spec, name))
		diag_error(c->diag, e->where,
			   "%s is an interval; write a function of it: count(%s), "
			   "mean(%s.time), ...",
			   name, name, name);
	else
		diag_error(c->diag, e->where,
			   "a series begins with a function; write count(%s), rate(%s), ...", name,
			   name);
	return NULL;
}

static struct node *check_expression(struct checker *c, const struct ast_expr *e)
{
	switch (e->kind) {
	case AST_NUMBER:
		return check_number(e);
	case AST_CALL:
		return check_call(c, e);
	case AST_PER:
		return check_family(c, e);
	case AST_UNARY:
		return check_unary(c, e);
	case AST_BINARY:
		return check_binary(c, e);
	case AST_NAME:
		return series_refuse_name(c, e);
	case AST_STRING:
		diag_error(c->diag, e->where, "expected a series, not a text");
		return NULL;
	default:
		diag_error(c->diag, e->where,
			   "expected a function, such as mean(...), hist(...) or count(...)");
		return NULL;
	}
}

struct node *check_series(const struct ast_expr *e, const struct spec *spec, struct diag *diag)
{
	struct checker c = {.spec = spec, .diag = diag};
	unsigned before = diag->errors;
	struct node *n = check_expression(&c, e);

	if (diag->errors > before) {
		node_free(n);
		return NULL;
	}
	return n;
}
