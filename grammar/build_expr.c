#include "grammar/build.h"

/* Deeper trees are refused, so that all who walk them may recurse. */
enum { DEEPEST = 2000 };

static unsigned depth_of(const struct ast_expr *e)
{
	return e ? e->depth : 0;
}

static struct ast_expr *expr_new(struct parser *p, struct ast_expr fields)
{
	struct ast_expr *e = arena_alloc(p->tree->arena, sizeof *e);
	*e = fields;
	unsigned deepest = depth_of(e->left);
	if (depth_of(e->right) > deepest)
		deepest = depth_of(e->right);
	for (const struct ast_argument *a = e->arguments; a; a = a->next)
		if (depth_of(a->value) > deepest)
			deepest = depth_of(a->value);
	e->depth = deepest + 1;
	if (e->depth > DEEPEST && !p->too_deep) {
		p->too_deep = true;
		diag_error(p->diag, e->where, "expression nests too deeply: more than %d levels",
			   DEEPEST);
	}
	return e;
}

struct ast_expr *build_number(struct parser *p, struct span where, struct ast_number number)
{
	return expr_new(p, (struct ast_expr){.kind = AST_NUMBER, .where = where, .number = number});
}

struct ast_expr *build_string(struct parser *p, struct ast_name string)
{
	return expr_new(p, (struct ast_expr){.kind = AST_STRING, .where = string.where,
					     .name = string});
}

struct ast_expr *build_name(struct parser *p, struct ast_name name)
{
	return expr_new(p, (struct ast_expr){.kind = AST_NAME, .where = name.where, .name = name});
}

struct ast_expr *build_member_of(struct parser *p, struct span where, struct ast_expr *left,
				 struct ast_name name)
{
	return expr_new(p, (struct ast_expr){.kind = AST_MEMBER, .where = where, .left = left,
					     .name = name});
}

struct ast_expr *build_call(struct parser *p, struct span where, struct ast_name name,
			    struct ast_argument *arguments)
{
	return expr_new(p, (struct ast_expr){.kind = AST_CALL, .where = where, .name = name,
					     .arguments = arguments});
}

struct ast_expr *build_select(struct parser *p, struct span where, struct ast_expr *left,
			      struct ast_argument *items)
{
	return expr_new(p, (struct ast_expr){.kind = AST_SELECT, .where = where, .left = left,
					     .arguments = items});
}

struct ast_expr *build_per(struct parser *p, struct span where, struct ast_expr *left,
			   struct ast_name name)
{
	return expr_new(p, (struct ast_expr){.kind = AST_PER, .where = where, .left = left,
					     .name = name});
}

struct ast_expr *build_unary(struct parser *p, struct span where, enum ast_op op,
			     struct ast_expr *operand)
{
	return expr_new(p, (struct ast_expr){.kind = AST_UNARY, .where = where, .op = op,
					     .left = operand});
}

struct ast_expr *build_binary(struct parser *p, struct span where, enum ast_op op,
			      struct ast_expr *left, struct ast_expr *right)
{
	return expr_new(p, (struct ast_expr){.kind = AST_BINARY, .where = where, .op = op,
					     .left = left, .right = right});
}

struct ast_expr *build_parenthesis(struct ast_expr *e, struct span where)
{
	e->where = where;
	return e;
}

struct ast_argument *build_argument(struct parser *p, struct span where, struct ast_name key,
				    struct ast_expr *value)
{
	struct ast_argument *a = arena_alloc(p->tree->arena, sizeof *a);
	*a = (struct ast_argument){.where = where, .key = key, .value = value};
	return a;
}

struct ast_argument *build_where(struct parser *p, struct span where, struct ast_name keyword,
				 struct ast_expr *condition)
{
	struct ast_argument *a = build_argument(p, where, keyword, condition);
	a->is_where = true;
	return a;
}
