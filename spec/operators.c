#include "spec/arithmetic.h"
#include "spec/check.h"

static const enum expr_op ops[] = {
	[AST_OP_NOT] = EXPR_NOT, [AST_OP_NEGATE] = EXPR_NEGATE,
	[AST_OP_AND] = EXPR_AND, [AST_OP_OR] = EXPR_OR,
	[AST_OP_EQ] = EXPR_EQ, [AST_OP_NE] = EXPR_NE, [AST_OP_LT] = EXPR_LT, [AST_OP_LE] = EXPR_LE,
	[AST_OP_GT] = EXPR_GT, [AST_OP_GE] = EXPR_GE,
	[AST_OP_ADD] = EXPR_ADD, [AST_OP_SUB] = EXPR_SUB, [AST_OP_MUL] = EXPR_MUL,
	[AST_OP_DIV] = EXPR_DIV, [AST_OP_MOD] = EXPR_MOD,
};

static bool is_number(const struct expr *e)
{
	return e->kind == VALUE_INT || e->kind == VALUE_REAL;
}

const char *expr_description(const struct expr *e)
{
	if (e->kind == VALUE_BOOL)
		return "a condition";
	if (e->kind == VALUE_STRING)
		return "a string";
	if (e->unit == UNIT_TIME)
		return "a time";
	return e->unit == UNIT_BYTES ? "a size in bytes" : "a number";
}

static bool units_agree(const struct expr *a, const struct expr *b)
{
	return a->unit == b->unit || a->unit == UNIT_NONE || b->unit == UNIT_NONE;
}

/* The unit of a sum, difference or remainder. */
static enum unit unit_joint(const struct expr *a, const struct expr *b)
{
	return a->unit != UNIT_NONE ? a->unit : b->unit;
}

/*
 * Equal units cancel; what has no name among the units (1/time, bytes a nanosecond) is a plain
 * number.
 */
static enum unit unit_quotient(const struct expr *a, const struct expr *b)
{
	return b->unit == UNIT_NONE ? a->unit : UNIT_NONE;
}

static const char *plural(const struct expr *e)
{
	if (e->kind == VALUE_BOOL)
		return "conditions";
	if (e->kind == VALUE_STRING)
		return "strings";
	if (e->unit == UNIT_TIME)
		return "times";
	return e->unit == UNIT_BYTES ? "sizes in bytes" : "numbers";
}

static bool misfit(const struct scope *s, const struct ast_expr *e, const struct expr *a,
		   const struct expr *b)
{
	bool compares = e->op >= AST_OP_EQ && e->op <= AST_OP_GE;
	const char *op = ast_op_text(e->op), *verb = compares ? "compare" : "compute with";
	if (plural(a) == plural(b))
		diag_error(s->diag, e->where, "'%s' cannot %s %s", op, verb, plural(a));
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

static bool comparison_fits(const struct scope *s, const struct ast_expr *e, const struct expr *a,
			    const struct expr *b)
{
	bool strings = a->kind == VALUE_STRING && b->kind == VALUE_STRING;
	if (strings || (is_number(a) && is_number(b) && units_agree(a, b)))
		return true;
	return misfit(s, e, a, b);
}

static bool arithmetic_fits(const struct scope *s, const struct ast_expr *e, const struct expr *a,
			    const struct expr *b)
{
	if (!is_number(a) || !is_number(b))
		return misfit(s, e, a, b);
	if (e->op == AST_OP_MOD && (a->kind == VALUE_REAL || b->kind == VALUE_REAL)) {
		diag_error(s->diag, e->where, "'%%' divides whole numbers only");
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

struct expr *operands_join(const struct scope *s, const struct ast_expr *e, struct expr *left,
			   struct expr *right)
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

/* -1 is a constant like 1, for all who look for constants. -(2^64-1) is none: it stays a fault. */
static struct expr *constant_negate(struct expr *constant, struct span where)
{
	struct value v;
	if (constant->op != EXPR_CONSTANT || !value_negate(&constant->constant, &v))
		return NULL;
	constant->constant = v;
	constant->where = where;
	return constant;
}

struct expr *operand_apply(const struct scope *s, const struct ast_expr *e, struct expr *operand)
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
