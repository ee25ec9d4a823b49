/* Expressions as text, in the language's own words. */
#ifndef GLIMPSE_SPEC_PRINT_H
#define GLIMPSE_SPEC_PRINT_H

#include "spec/spec.h"
#include <stdio.h>

/*
 * Prints an expression of the interval, with its aliases; interval is NULL for an assertion over
 * aggregates. What Match stands for is printed as if written: "s.src == r.src && s.seq == r.seq".
 */
void expr_print(const struct expr *e, const struct interval *interval, FILE *out);

/* The same as a new string, which is the caller's. */
char *expr_text(const struct expr *e, const struct interval *interval);

/* What an expression of the interval calls that side: its alias, or its event's name. */
const char *end_name(const struct interval *interval, enum side side);

#endif
