/* The parts of the target C; codegen/c.c puts them together. */
#ifndef GLIMPSE_CODEGEN_C_H
#define GLIMPSE_CODEGEN_C_H

#include "spec/spec.h"
#include <stdio.h>

/* Refuses names that C or C++ reserve, and those that would collide in the generated code. */
void c_check(const struct spec *s, struct diag *d);

/* The function of an event, with its comment. */
void c_emit_event(FILE *out, const struct spec *s, const struct event_type *e);
/* What stands in its place under GLIMPSE_DISABLE. */
void c_emit_disabled(FILE *out, const struct event_type *e);

/* A string literal that C and C++ read as these bytes. */
void c_emit_literal(FILE *out, const char *bytes, size_t length);
/* A comment of one line or several, whatever the text holds. */
void c_emit_comment(FILE *out, const char *text);

#endif
