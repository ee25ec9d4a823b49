/* Prints expressions as text, in the words of the language. */
#ifndef GLIMPSE_SPEC_PRINT_H
#define GLIMPSE_SPEC_PRINT_H

#include "spec/spec.h"
#include <stdio.h>

/*
 * Prints an expression of an interval with the interval's aliases; `interval` is NULL for an
 * assertion over aggregates. The equalities of Match are printed as if written: "s.src == r.src &&
 * s.seq == r.seq".
 */
void expr_print(const struct expr *e, const struct interval *interval, FILE *out);

/* Returns the same as a new string, which is the caller's. */
char *expr_text(const struct expr *e, const struct interval *interval);

/* Returns the name of a side in expressions of the interval: its alias, or its event's name. */
const char *end_name(const struct interval *interval, enum side side);

#endif
