#include "spec/expr_check.h"
#include "base/nearest.h"
#include "spec/aggregate.h"
#include "spec/measure.h"
#include "spec/names.h"
#include <stdlib.h>
#include <string.h>

/* ---- Names ----------------------------------------------------------------------------------- */

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
	} else if (strcmp(name, "process") == 0) {
		x = expr_new(EXPR_PROCESS, VALUE_INT, where);
	}
	if (x)
		x->side = side;
	return x;
}

struct expr *attribute_expr(const struct event_type *event, const char *name, struct span where,
			    enum side side)
{
	int index = event_attribute(event, name);
	if (index < 0)
		return intrinsic_expr(name, where, side);
	struct expr *x =
	    expr_new(EXPR_ATTRIBUTE, attribute_kind(event->attributes[index].type), where);
	x->side = side;
	x->event = event;
	x->attribute = (unsigned)index;
	if (type_is_symbolic(event->attributes[index].type))
		x->unit = UNIT_ADDRESS;
	return x;
}

static void attribute_unknown(const struct scope *s, const struct event_type *event,
			      const struct ast_name *name)
{
	static const char *const intrinsic[] = {"time", "thread", "owner", "process"};
	const char *near = nearest_attribute(event, name->text);
	diag_unknown(s->diag, name->where, near ? near : nearest_name(name->text, intrinsic, 4),
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
			   "aliases have no meaning here: the expression belongs to no interval");
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
	diag_unknown(s->diag, name->where, nearest_name(name->text, names, n),
		     "no alias '%s' in interval %s", name->text, s->interval->name);
	if (nameless)
		diag_note(s->diag, nameless->where, "to give it an alias, write a:%s",
			  end_event(nameless)->name);
	else
		diag_note(s->diag, s->interval->where, "its aliases are '%s' and '%s'", names[0],
			  names[1]);
}

static struct expr *member_expr(const struct scope *s, const struct ast_expr *e)
{
	enum side side;
	if (e->left->kind != AST_NAME) {
		diag_error(s->diag, e->left->where, "expected an alias before '.'");
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
			   "the duration is known only after the pair has been found; subtract "
			   "the times of the aliases");
	else if (s->interval)
		diag_unknown(s->diag, e->where, nearest_metric(s->interval, name),
			     "unknown name '%s'; attributes are written with their alias: %s.%s",
			     name, s->interval->anchor.alias ? s->interval->anchor.alias : "a",
			     name);
	else
		diag_error(s->diag, e->where,
			   "'%s' has no value here; assertions over a whole trace use count(), "
			   "mean(), p99(), ...",
			   name);
}

/* Returns an attribute of the anchor or, if it has none of this name, of the partner. */
static struct expr *bare_expr(const struct scope *s, const struct ast_expr *e)
{
	struct expr *x =
	    attribute_expr(end_event(&s->interval->anchor), e->name.text, e->where, SIDE_ANCHOR);
	return x ? x
		 : attribute_expr(end_event(&s->interval->partner), e->name.text, e->where,
				  SIDE_PARTNER);
}

static struct expr *name_expr(const struct scope *s, const struct ast_expr *e)
{
	if (s->event) {
		struct expr *x = attribute_expr(s->event, e->name.text, e->where, SIDE_ANCHOR);
		if (!x)
			attribute_unknown(s, s->event, &e->name);
		return x;
	}
	struct expr *x = s->interval && s->duration ? duration_expr(s, e) : NULL;
	if (!x && s->bare)
		x = bare_expr(s, e);
	if (!x)
		name_unknown(s, e);
	return x;
}

/* ---- Operators ------------------------------------------------------------------------------- */

static const enum expr_op ops[] = {
    [AST_OP_NOT] = EXPR_NOT, [AST_OP_NEGATE] = EXPR_NEGATE, [AST_OP_AND] = EXPR_AND,
    [AST_OP_OR] = EXPR_OR,   [AST_OP_EQ] = EXPR_EQ,         [AST_OP_NE] = EXPR_NE,
    [AST_OP_LT] = EXPR_LT,   [AST_OP_LE] = EXPR_LE,         [AST_OP_GT] = EXPR_GT,
    [AST_OP_GE] = EXPR_GE,   [AST_OP_ADD] = EXPR_ADD,       [AST_OP_SUB] = EXPR_SUB,
    [AST_OP_MUL] = EXPR_MUL, [AST_OP_DIV] = EXPR_DIV,       [AST_OP_MOD] = EXPR_MOD,
};

/* Addresses are compared as numbers are, but are no numbers. */
static bool is_comparable(const struct expr *e)
{
	return e->kind == VALUE_INT || e->kind == VALUE_REAL;
}

static bool is_number(const struct expr *e)
{
	return is_comparable(e) && e->unit != UNIT_ADDRESS;
}

/* "a number", "a time", "a string", ... */
static const char *expr_description(const struct expr *e)
{
	if (e->kind == VALUE_BOOL)
		return "a condition";
	if (e->kind == VALUE_STRING)
		return "a string";
	if (e->unit == UNIT_TIME)
		return "a time";
	if (e->unit == UNIT_ADDRESS)
		return "an address";
	return e->unit == UNIT_BYTES ? "a size in bytes" : "a number";
}

static bool units_agree(const struct expr *a, const struct expr *b)
{
	return a->unit == b->unit || a->unit == UNIT_NONE || b->unit == UNIT_NONE;
}

/* Returns the unit of a sum, difference or remainder. */
static enum unit unit_joint(const struct expr *a, const struct expr *b)
{
	return a->unit != UNIT_NONE ? a->unit : b->unit;
}

/* Equal units cancel. Units without a name (1/time, bytes per nanosecond) become UNIT_NONE. */
static enum unit unit_quotient(const struct expr *a, const struct expr *b)
{
	return b->unit == UNIT_NONE ? a->unit : UNIT_NONE;
}

static const char *check_plural(const struct expr *e)
{
	if (e->kind == VALUE_BOOL)
		return "conditions";
	if (e->kind == VALUE_STRING)
		return "strings";
	if (e->unit == UNIT_TIME)
		return "times";
	if (e->unit == UNIT_ADDRESS)
		return "addresses";
	return e->unit == UNIT_BYTES ? "sizes in bytes" : "numbers";
}

static bool misfit(const struct scope *s, const struct ast_expr *e, const struct expr *a,
		   const struct expr *b)
{
	bool compares = e->op >= AST_OP_EQ && e->op <= AST_OP_GE;
	const char *op = ast_op_text(e->op), *verb = compares ? "compare" : "compute with";
	if (check_plural(a) == check_plural(b))
		diag_error(s->diag, e->where, "'%s' cannot %s %s", op, verb, check_plural(a));
	else
		diag_error(s->diag, e->where, "'%s' cannot %s %s and %s", op, verb,
			   expr_description(a), expr_description(b));
	return false;
}

static bool logical_fits(const struct scope *s, const struct ast_expr *e, const struct expr *a,
			 const struct expr *b)
{
	const struct expr *operands[] = {a, b};
	bool good = true;
	for (int i = 0; i < 2; i++) {
		if (operands[i]->kind == VALUE_BOOL)
			continue;
		diag_error(s->diag, operands[i]->where, "'%s' joins conditions; this is %s",
			   ast_op_text(e->op), expr_description(operands[i]));
		good = false;
	}
	return good;
}

/* An event's own attribute of that name, which may be a process id. */
static bool is_own_process(const struct expr *e)
{
	return e->op == EXPR_ATTRIBUTE &&
	       strcmp(e->event->attributes[e->attribute].name, "process") == 0;
}

/* The number of a process in the trace is not what an event's own attribute says. */
static bool processes_fit(const struct scope *s, const struct ast_expr *e, const struct expr *a,
			  const struct expr *b)
{
	const struct expr *own = is_own_process(a) ? a : b, *number = own == a ? b : a;

	if (!is_own_process(own) || number->op != EXPR_PROCESS)
		return true;
	diag_error(s->diag, e->where,
		   "%s has an attribute 'process' of its own; on the other side it is the number "
		   "of the process in the trace",
		   own->event->name);
	return false;
}

static bool comparison_fits(const struct scope *s, const struct ast_expr *e, const struct expr *a,
			    const struct expr *b)
{
	bool strings = a->kind == VALUE_STRING && b->kind == VALUE_STRING;
	if (strings || (is_comparable(a) && is_comparable(b) && units_agree(a, b)))
		return processes_fit(s, e, a, b);
	return misfit(s, e, a, b);
}

static bool arithmetic_fits(const struct scope *s, const struct ast_expr *e, const struct expr *a,
			    const struct expr *b)
{
	if (!is_number(a) || !is_number(b))
		return misfit(s, e, a, b);
	if (e->op == AST_OP_MOD && (a->kind == VALUE_REAL || b->kind == VALUE_REAL)) {
		diag_error(s->diag, e->where, "'%%' works on whole numbers only");
		return false;
	}
	if (e->op == AST_OP_MUL && a->unit != UNIT_NONE && b->unit != UNIT_NONE)
		return misfit(s, e, a, b);
	return e->op == AST_OP_MUL || e->op == AST_OP_DIV || units_agree(a, b) ||
	       misfit(s, e, a, b);
}

static bool operands_fit(const struct scope *s, const struct ast_expr *e, const struct expr *a,
			 const struct expr *b)
{
	if (e->op == AST_OP_AND || e->op == AST_OP_OR)
		return logical_fits(s, e, a, b);
	if (e->op <= AST_OP_GE)
		return comparison_fits(s, e, a, b);
	return arithmetic_fits(s, e, a, b);
}

/* Joins two checked operands, which it takes over. */
static struct expr *operands_join(const struct scope *s, const struct ast_expr *e,
				  struct expr *left, struct expr *right)
{
	if (!operands_fit(s, e, left, right)) {
		expr_free(left);
		expr_free(right);
		return NULL;
	}
	struct expr *x = expr_binary(ops[e->op], e->where, left, right);
	if (e->op >= AST_OP_ADD)
		x->unit =
		    e->op == AST_OP_DIV ? unit_quotient(left, right) : unit_joint(left, right);
	return x;
}

/* Makes -1 a constant. -(2^64-1) stays an operation, which faults; then NULL is returned. */
static struct expr *constant_negate(struct expr *constant, struct span where)
{
	struct value v;
	if (constant->op != EXPR_CONSTANT || !value_negate(&constant->constant, &v))
		return NULL;
	constant->constant = v;
	constant->where = where;
	return constant;
}

static struct expr *operand_apply(const struct scope *s, const struct ast_expr *e,
				  struct expr *operand)
{
	bool good = e->op == AST_OP_NOT ? operand->kind == VALUE_BOOL : is_number(operand);
	if (!good) {
		diag_error(s->diag, operand->where, "'%s' needs %s; this is %s", ast_op_text(e->op),
			   e->op == AST_OP_NOT ? "a condition" : "a number",
			   expr_description(operand));
		expr_free(operand);
		return NULL;
	}
	struct expr *x = e->op == AST_OP_NEGATE ? constant_negate(operand, e->where) : NULL;
	if (x)
		return x;
	x = expr_new(ops[e->op], operand->kind, e->where);
	x->unit = operand->unit;
	x->left = operand;
	return x;
}

/* ---- Expressions ----------------------------------------------------------------------------- */

static struct expr *number_expr(const struct ast_expr *e)
{
	static const enum unit units[] = {
	    [AST_PLAIN] = UNIT_NONE,
	    [AST_TIME] = UNIT_TIME,
	    [AST_BYTES] = UNIT_BYTES,
	};
	struct expr *x =
	    expr_new(EXPR_CONSTANT, e->number.is_real ? VALUE_REAL : VALUE_INT, e->where);
	x->unit = units[e->number.dimension];
	x->constant.kind = x->kind;
	if (e->number.is_real)
		x->constant.real = e->number.real;
	else
		x->constant.integer = e->number.integer;
	return x;
}

static struct expr *string_expr(const struct ast_expr *e)
{
	struct expr *x = expr_new(EXPR_CONSTANT, VALUE_STRING, e->where);
	x->constant.kind = VALUE_STRING;
	x->constant.string.bytes = strdup(e->name.text);
	x->constant.string.length = (uint32_t)strlen(e->name.text);
	return x;
}

/* Checks both sides in any case, to report the errors of both. */
static struct expr *binary_expr(const struct scope *s, const struct ast_expr *e)
{
	struct expr *left = expr_check(s, e->left), *right = expr_check(s, e->right);
	if (left && right)
		return operands_join(s, e, left, right);
	expr_free(left);
	expr_free(right);
	return NULL;
}

static struct expr *unary_expr(const struct scope *s, const struct ast_expr *e)
{
	struct expr *operand = expr_check(s, e->left);
	return operand ? operand_apply(s, e, operand) : NULL;
}

struct expr *expr_check(const struct scope *s, const struct ast_expr *e)
{
	switch (e->kind) {
	case AST_NUMBER:
		return number_expr(e);
	case AST_STRING:
		return string_expr(e);
	case AST_NAME:
		return name_expr(s, e);
	case AST_MEMBER:
		return member_expr(s, e);
	case AST_CALL:
		return s->measures ? measure_check(s, e) : aggregate_check(s, e);
	case AST_UNARY:
		return unary_expr(s, e);
	case AST_BINARY:
		return binary_expr(s, e);
	case AST_SELECT:
	case AST_PER:
		break;
	}
	series_error(s, e);
	return NULL;
}

struct expr *condition_check(const struct scope *s, const struct ast_expr *e)
{
	struct expr *x = expr_check(s, e);
	if (!x || x->kind == VALUE_BOOL)
		return x;
	diag_error(s->diag, e->where, "expected a condition; this is %s", expr_description(x));
	expr_free(x);
	return NULL;
}

struct expr *number_check(const struct scope *s, const struct ast_expr *e)
{
	struct expr *x = expr_check(s, e);
	if (!x || is_number(x))
		return x;
	diag_error(s->diag, e->where, "expected a number; this is %s", expr_description(x));
	expr_free(x);
	return NULL;
}

struct expr *event_condition(const struct spec *s, const struct event_type *event,
			     const struct ast_expr *e, struct diag *diag)
{
	return condition_check(&(struct scope){.spec = s, .event = event, .diag = diag}, e);
}

struct expr *interval_condition(const struct spec *s, const struct interval *interval,
				const struct ast_expr *e, struct diag *diag)
{
	struct scope scope = {.spec = s, .interval = interval, .duration = true, .diag = diag};
	return condition_check(&scope, e);
}

struct expr *interval_key(const struct spec *s, const struct interval *interval,
			  const struct ast_expr *e, struct diag *diag)
{
	struct scope scope = {
	    .spec = s, .interval = interval, .duration = true, .bare = true, .diag = diag};
	return expr_check(&scope, e);
}

struct expr *event_key(const struct spec *s, const struct event_type *event,
		       const struct ast_expr *e, struct diag *diag)
{
	return expr_check(&(struct scope){.spec = s, .event = event, .diag = diag}, e);
}
