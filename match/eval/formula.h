/* Evaluates an expression for very many events or instances: compiled, unless it has aggregates. */
#ifndef GLIMPSE_MATCH_EVAL_FORMULA_H
#define GLIMPSE_MATCH_EVAL_FORMULA_H

#include "spec/expr.h"

struct program;

struct formula {
	const struct expr *expression;
	struct program *program; /* NULL: it cannot be compiled */
	bool names;              /* it asks for those of threads, or their processes */
};

/* Borrows the expression. */
struct formula formula_of(const struct expr *expression);
void formula_clear(struct formula *f);

/* Evaluates the expression as expr_value() does; returns false at a fault. */
bool formula_value(const struct formula *f, const struct binding *b, struct value *v);
/* Evaluates the expression as expr_holds() does. */
bool formula_holds(const struct formula *f, const struct binding *b, uint64_t *faults);

#endif
