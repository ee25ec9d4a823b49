/* The parts of the target C; codegen/c.c puts them together. */
#ifndef GLIMPSE_CODEGEN_C_H
#define GLIMPSE_CODEGEN_C_H

#include "spec/spec.h"
#include <stdio.h>

/* Refuses names that C or C++ reserve, and those that would collide in the generated code. */
void c_check(const struct spec *s, struct diag *d);

/* The function of an event, with its comment. */
void c_emit_event(FILE *out, const struct spec *s, const struct event_type *e);
/* How a function gets strings: ended by NUL, or padded with blanks and with a length (size_t). */
enum c_strings { C_TERMINATED, C_PADDED };
/*
 * The statements of such a function. The length of a string `why` is c_local_name(e, "why", "_n").
 */
void c_emit_body(FILE *out, const struct spec *s, const struct event_type *e,
		 enum c_strings strings);
/* What stands in its place under GLIMPSE_DISABLE. */
void c_emit_disabled(FILE *out, const struct event_type *e);

/* base, suffix and as many underscores as part it from the event's attributes; the caller's. */
char *c_local_name(const struct event_type *e, const char *base, const char *suffix);
/* The n-th string of the event. */
const struct attribute *c_string(const struct event_type *e, unsigned n);

/* Where a specification comes from, without the directory: the output is the same everywhere. */
const char *c_origin(const struct spec *s);

/* A string literal that C and C++ read as these bytes. */
void c_emit_literal(FILE *out, const char *bytes, size_t length);
/* A comment of one line or several, whatever the text holds. */
void c_emit_comment(FILE *out, const char *text);

#endif
