/*
 * From the syntax of an expression to a typed one. Names are looked up in a scope; every error is
 * told once, and the result is then NULL. What these return is the caller's: expr_free().
 */
#ifndef GLIMPSE_SPEC_CHECK_H
#define GLIMPSE_SPEC_CHECK_H

#include "grammar/ast.h"
#include "spec/spec.h"

/* What the names in an expression may be. */
struct scope {
	const struct spec *spec;                /* for aggregates */
	const struct interval *interval;        /* its aliases; NULL: none */
	const struct event_type *event;         /* what it has stands without an alias; NULL: none */
	bool duration;                          /* "time" is the duration; metrics stand alone */
	bool aggregates;                        /* count(E), p99(I.time), ... */
	struct diag *diag;
};

/* Any expression; NULL after an error. */
struct expr *expr_check(const struct scope *s, const struct ast_expr *e);
/* The same, which must be a condition (VALUE_BOOL), or a number. */
struct expr *condition_check(const struct scope *s, const struct ast_expr *e);
struct expr *number_check(const struct scope *s, const struct ast_expr *e);

/*
 * A condition on events of one type, as in Sendmsg[where src == 3 && thread == 0]: attributes,
 * time, thread and owner without an alias. It is evaluated with the event bound as SIDE_ANCHOR.
 */
struct expr *event_condition(const struct spec *s, const struct event_type *event,
			     const struct ast_expr *e, struct diag *diag);
/* A condition on instances of an interval: its aliases, time (the duration) and its metrics. */
struct expr *interval_condition(const struct spec *s, const struct interval *interval,
				const struct ast_expr *e, struct diag *diag);

/*
 * A new node; ends the program when there is no memory. For those who build expressions: Match,
 * series.
 */
struct expr *expr_new(enum expr_op op, enum value_kind kind, struct span where);
struct expr *expr_binary(enum expr_op op, struct span where, struct expr *left, struct expr *right);

/* The function of that name ("count", "p99.9"); false: there is none. */
bool aggregate_find(const char *name, enum aggregate_function *function, double *quantile);

/* Parts of the check, one file each. */
struct expr *name_check_expr(const struct scope *s, const struct ast_expr *e);
struct expr *member_check(const struct scope *s, const struct ast_expr *e);
struct expr *aggregate_check(const struct scope *s, const struct ast_expr *e);
/* Joins two checked operands (which it takes over), or tells why they do not go together. */
struct expr *operands_join(const struct scope *s, const struct ast_expr *e, struct expr *left,
			   struct expr *right);
struct expr *operand_apply(const struct scope *s, const struct ast_expr *e, struct expr *operand);
/* "a number", "a time", "a string", ... */
const char *expr_description(const struct expr *e);

#endif
