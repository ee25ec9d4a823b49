#include "spec/check.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

struct expr *expr_new(enum expr_op op, enum value_kind kind, struct span where)
{
	struct expr *e = array_zero(1, sizeof *e);
	e->op = op;
	e->kind = kind;
	e->where = where;
	return e;
}

struct expr *expr_binary(enum expr_op op, struct span where, struct expr *left, struct expr *right)
{
	bool computes = op >= EXPR_ADD;
	bool real = left->kind == VALUE_REAL || right->kind == VALUE_REAL;
	enum value_kind kind = !computes ? VALUE_BOOL : real ? VALUE_REAL : VALUE_INT;
	struct expr *e = expr_new(op, kind, where);
	e->left = left;
	e->right = right;
	return e;
}

static struct expr *number_expr(const struct ast_expr *e)
{
	static const enum unit units[] = {
		[AST_PLAIN] = UNIT_NONE, [AST_TIME] = UNIT_TIME, [AST_BYTES] = UNIT_BYTES,
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

/* Both sides are checked in any case, so that errors in both are told. */
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
		return name_check_expr(s, e);
	case AST_MEMBER:
		return member_check(s, e);
	case AST_CALL:
		return aggregate_check(s, e);
	case AST_UNARY:
		return unary_expr(s, e);
	case AST_BINARY:
		return binary_expr(s, e);
	case AST_SELECT:
	case AST_PER:
		break;
	}
	diag_error(s->diag, e->where, "%s belongs to series expressions",
		   e->kind == AST_PER ? "'per'" : "a selection in brackets");
	return NULL;
}

struct expr *condition_check(const struct scope *s, const struct ast_expr *e)
{
	struct expr *x = expr_check(s, e);
	if (!x || x->kind == VALUE_BOOL)
		return x;
	diag_error(s->diag, e->where, "a condition must be true or false; this is %s",
		   expr_description(x));
	expr_free(x);
	return NULL;
}

struct expr *number_check(const struct scope *s, const struct ast_expr *e)
{
	struct expr *x = expr_check(s, e);
	if (!x || x->kind == VALUE_INT || x->kind == VALUE_REAL)
		return x;
	diag_error(s->diag, e->where, "a number must stand here; this is %s", expr_description(x));
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
