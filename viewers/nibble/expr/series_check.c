#include "viewers/nibble/expr/checker.h"

#include "base/array.h"

static struct node *node_new(enum node_kind kind, const struct ast_expr *e)
{
	struct node *n = array_zero(1, sizeof *n);

	n->kind = kind;
	n->where = e->where;
	return n;
}

static struct node *check_number(const struct ast_expr *e)
{
	struct node *n = node_new(NODE_CONSTANT, e);

	n->number = e->number.real;
	n->dimension.time = e->number.dimension == AST_TIME;
	n->dimension.bytes = e->number.dimension == AST_BYTES;
	return n;
}

bool check_computable(struct checker *c, const struct node *n)
{
	if (n->kind != NODE_SOURCE || n->function->kind != FUNCTION_HEAT)
		return true;
	diag_error(c->diag, n->where, "heat is drawn as it is; it cannot be computed with");
	return false;
}

static struct node *check_unary(struct checker *c, const struct ast_expr *e)
{
	struct node *n;

	if (e->op != AST_OP_NEGATE) {
		diag_error(c->diag, e->where,
			   "'%s' has no meaning for a series; conditions stand in "
			   "[where ...]",
			   ast_op_text(e->op));
		return NULL;
	}
	n = node_new(NODE_NEGATE, e);
	n->left = check_expression(c, e->left);
	if (!n->left || !check_computable(c, n->left)) {
		node_free(n);
		return NULL;
	}
	n->dimension = n->left->dimension;
	n->distribution = n->left->distribution;
	return n;
}

static bool operation_of(enum ast_op op, enum operation *result)
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

/* Whether the operands' units and axes go together; settles the result's. */
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
			   "a distribution and a series over time share no axis");
		return false;
	}
	n->dimension = sums			? dimension_sum(a, b)
		       : n->op == OPERATION_MUL ? dimension_product(a, b)
						: dimension_quotient(a, b);
	n->distribution = n->left->distribution || n->right->distribution;
	return true;
}

static struct node *check_binary(struct checker *c, const struct ast_expr *e)
{
	struct node *n = node_new(NODE_COMBINE, e);

	if (!operation_of(e->op, &n->op)) {
		diag_error(c->diag, e->where,
			   "'%s' has no meaning between series; there are + - * /, and "
			   "conditions stand in [where ...]",
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
	struct ast_name outer = c->per;
	struct node *n;

	if (outer.text)
		diag_error(c->diag, e->name.where,
			   "'per %s' is already 'per %s'; one of them must go", e->name.text,
			   outer.text);
	c->per = e->name;
	n = check_expression(c, e->left);
	c->per = outer;
	return n;
}

/* A bare name: most likely the function was forgotten. */
static struct node *refuse_name(struct checker *c, const struct ast_expr *e)
{
	const char *name = e->name.text;

	if (spec_event(c->spec, name))
		diag_error(c->diag, e->where,
			   "%s is an event; what of it? count(%s), rate(%s), ...", name, name,
			   name);
	else if (spec_interval(c->spec, name))
		diag_error(c->diag, e->where,
			   "%s is an interval; what of it? count(%s), "
			   "mean(%s.time), ...",
			   name, name, name);
	else
		diag_error(c->diag, e->where,
			   "a series begins with a function: count(%s), rate(%s), ...", name, name);
	return NULL;
}

struct node *check_expression(struct checker *c, const struct ast_expr *e)
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
		return refuse_name(c, e);
	case AST_STRING:
		diag_error(c->diag, e->where, "a text is no series");
		return NULL;
	default:
		diag_error(c->diag, e->where,
			   "a function must say what of it: mean(...), hist(...), count(...)");
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
