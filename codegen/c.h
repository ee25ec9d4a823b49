/* Declares the parts of the target C that the target Fortran and guards use. */
#ifndef GLIMPSE_CODEGEN_C_H
#define GLIMPSE_CODEGEN_C_H

#include "spec/spec.h"
#include <stdio.h>

/* Puts all functions into a namespace of the specification's name: glimpsec --namespace. */
void c_choose_namespace(void);
/* Returns the name of an event's function in C; the caller frees it. */
char *c_function(const struct spec *s, const struct event_type *e);
/* Returns the type of a parameter, to be followed by its name. */
const char *c_parameter(enum type t);

/* How a function gets strings: ended by NUL, or padded with blanks and with a length (size_t). */
enum c_strings { C_TERMINATED, C_PADDED };
/*
 * Prints the statements of an event's function. The length of a string `why` is a parameter of the
 * name local_name(e, "why", "_n").
 */
void c_emit_body(FILE *out, const struct spec *s, const struct event_type *e,
		 enum c_strings strings);

#endif
