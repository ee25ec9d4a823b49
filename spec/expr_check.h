/*
 * Checks the syntax of an expression, and makes a typed one. Names are looked up in a scope. The
 * functions report every error once and then return NULL; else they return a new expression, which
 * the caller frees with expr_free().
 */
#ifndef GLIMPSE_SPEC_EXPR_CHECK_H
#define GLIMPSE_SPEC_EXPR_CHECK_H

#include "grammar/ast.h"
#include "spec/spec.h"

/* What names in an expression may stand for. */
struct scope {
	const struct spec *spec;         /* for aggregates */
	const struct interval *interval; /* its aliases; NULL: none */
	const struct event_type *event;  /* its attributes need no alias; NULL: none */
	bool duration;                   /* "time" is the duration; metrics are known */
	bool bare;                       /* attributes need no alias: the anchor's first */
	bool aggregates;                 /* count(E), p99(I.time), ... */
	bool measures;                   /* share(kind "wait"), ... */
	struct diag *diag;
};

/*
 * Returns an attribute of the event at one side, its own or one that every event has; NULL if no
 * attribute has this name.
 */
struct expr *attribute_expr(const struct event_type *event, const char *name, struct span where,
			    enum side side);

/* Checks any expression. */
struct expr *expr_check(const struct scope *s, const struct ast_expr *e);
/* Check an expression that must be a condition (VALUE_BOOL), or a number. */
struct expr *condition_check(const struct scope *s, const struct ast_expr *e);
struct expr *number_check(const struct scope *s, const struct ast_expr *e);

/*
 * Checks a condition on events of one type, as in Sendmsg[where src == 3 && thread == 0]:
 * attributes, time, thread and owner without an alias. The condition is evaluated with the event
 * bound as SIDE_ANCHOR.
 */
struct expr *event_condition(const struct spec *s, const struct event_type *event,
			     const struct ast_expr *e, struct diag *diag);
/* Checks a condition on instances of an interval: its aliases, its metrics, time (the duration). */
struct expr *interval_condition(const struct spec *s, const struct interval *interval,
				const struct ast_expr *e, struct diag *diag);

/*
 * Checks what instances, or events, are grouped by: any value of them. The attributes of an
 * interval's ends may stand without an alias; those of the anchor come first.
 */
struct expr *interval_key(const struct spec *s, const struct interval *interval,
			  const struct ast_expr *e, struct diag *diag);
struct expr *event_key(const struct spec *s, const struct event_type *event,
		       const struct ast_expr *e, struct diag *diag);

#endif
