/* A condition that is asked of very many events or instances: compiled, unless it has aggregates. */
#ifndef GLIMPSE_TRACE_CONDITION_H
#define GLIMPSE_TRACE_CONDITION_H

#include "spec/expr.h"

struct program;

struct condition {
	const struct expr *expression;
	struct program *program; /* NULL: it cannot be compiled */
};

/* Borrows the expression. */
struct condition condition_of(const struct expr *expression);
void condition_clear(struct condition *c);

/* As expr_holds() says of the expression. */
bool condition_holds(const struct condition *c, const struct binding *b, uint64_t *faults);

#endif
