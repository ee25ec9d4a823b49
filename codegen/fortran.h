/* The parts of the target Fortran; codegen/fortran.c puts them together. */
#ifndef GLIMPSE_CODEGEN_FORTRAN_H
#define GLIMPSE_CODEGEN_FORTRAN_H

#include "spec/spec.h"
#include <stdio.h>

/* Refuses names that Fortran cannot have, or that would be one where case does not count. */
void fortran_check(const struct spec *s, struct diag *d);

/* NAME_glimpse.f90: the module with an explicit interface for each event. */
void fortran_emit_module(FILE *out, const struct spec *s);
/* NAME_glimpse_f.c: what the module's procedures and callers without it are linked with. */
void fortran_emit_stubs(FILE *out, const struct spec *s);

/* Comment lines of free form behind an indentation, whatever the text holds. */
void fortran_emit_comment(FILE *out, const char *indent, const char *text);

#endif
