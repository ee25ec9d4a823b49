/*
 * Finds SPECIFICATION.NAME: in a trace of several specifications (a host's and its plugin's, a
 * program's and a probe's), a name that two of them have is qualified by its specification.
 */
#ifndef GLIMPSE_SPEC_QUALIFIED_H
#define GLIMPSE_SPEC_QUALIFIED_H

#include "grammar/ast.h"
#include "grammar/diag.h"
#include "spec/spec.h"

/*
 * Tell whether a shell pattern is of an event's or interval's name, also behind its
 * specification's.
 */
bool event_is_called(const struct event_type *e, const char *pattern);
bool interval_is_called(const struct interval *i, const char *pattern);

/*
 * Puts the names that the items have in this trace in place of SPECIFICATION.NAME: in an expression
 * before it is checked, and in a text, which the caller frees.
 */
void qualified_resolve(const struct spec *s, struct ast_expr *e);
char *qualified_replace(const struct spec *s, const char *text);

/* Returns how long what begins there is: a word, a string, a comment, or a character. */
size_t text_piece(const char *at);

/*
 * Tell whether a name that a user wrote is that of several specifications, and report to diag what
 * to write instead. One tests a single name, one a list with commas. The third tests the events and
 * intervals that the functions of an expression are about, before it is resolved.
 */
bool is_ambiguous(const struct spec *s, const char *name, struct span where, struct diag *diag);
bool has_ambiguous(const struct spec *s, const char *list, struct diag *diag);
bool asks_ambiguous(const struct spec *s, const struct ast_expr *e, struct diag *diag);

/* Gives the items of a specification that was made of another one's text their homes. */
void homes_take(struct spec *s, const struct spec *from);

#endif
