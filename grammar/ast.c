#include "grammar/ast.h"
#include <stdlib.h>

const char *ast_op_text(enum ast_op op)
{
	static const char *const texts[] = {
	    [AST_OP_NONE] = "", [AST_OP_NOT] = "!", [AST_OP_NEGATE] = "-", [AST_OP_AND] = "&&",
	    [AST_OP_OR] = "||", [AST_OP_EQ] = "==", [AST_OP_NE] = "!=",    [AST_OP_LT] = "<",
	    [AST_OP_LE] = "<=", [AST_OP_GT] = ">",  [AST_OP_GE] = ">=",    [AST_OP_ADD] = "+",
	    [AST_OP_SUB] = "-", [AST_OP_MUL] = "*", [AST_OP_DIV] = "/",    [AST_OP_MOD] = "%",
	};
	return texts[op];
}

void ast_free(struct ast *tree)
{
	if (!tree)
		return;
	arena_free(tree->arena);
	free(tree);
}
