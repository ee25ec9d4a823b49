/* The parts of the target Java; codegen/java.c puts them together. */
#ifndef GLIMPSE_CODEGEN_JAVA_H
#define GLIMPSE_CODEGEN_JAVA_H

#include "spec/spec.h"
#include <stdbool.h>
#include <stdio.h>

/*
 * The class that is written, and its package: as --class and --package say, before anything is checked.
 * False when Java cannot have such a name. The text must outlive the program's work.
 */
bool java_choose_class(const char *name);
bool java_choose_package(const char *name);

/* Refuses names that Java reserves, those the generated class needs, and events with too many attributes. */
void java_check_names(const struct spec *s, struct diag *d);
/* Whether a class can be called so: an identifier that no other class of the generated code has. */
bool java_is_class(const char *name);
/* Identifiers with dots between them. */
bool java_is_package(const char *name);

/* The method of an event, with its Javadoc, and the type that it returns where it is the first. */
void java_emit_event(FILE *out, const struct spec *s, const struct event_type *e);

/* A string literal, one character for each byte. */
void java_emit_literal(FILE *out, const char *bytes, size_t length);
/* The lines of a Javadoc comment, each after `indent` and " * ". */
void java_emit_javadoc(FILE *out, const char *indent, const char *text);

#endif
