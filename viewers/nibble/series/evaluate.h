/* Computes checked expressions. */
#ifndef GLIMPSE_NIBBLE_SERIES_EVALUATE_H
#define GLIMPSE_NIBBLE_SERIES_EVALUATE_H

#include "viewers/nibble/sample/evaluation.h"
#include "viewers/nibble/series/curve.h"

/*
 * Reads the trace once for all these expressions; NULL among the nodes are passed over.
 */
void expressions_prepare(struct evaluation *v, struct node *const *nodes, size_t n);

/*
 * Returns the curves of an expression, titled as it was written. On an error v->diag is told and
 * the family is empty.
 */
struct family expression_evaluate(struct evaluation *v, const struct node *n, const char *title);

#endif
