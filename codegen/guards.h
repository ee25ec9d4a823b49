/*
 * Guards for C++: a class for each interval whose two events one thread logs at the begin and at
 * the end of a block, with the same attributes.
 */
#ifndef GLIMPSE_CODEGEN_GUARDS_H
#define GLIMPSE_CODEGEN_GUARDS_H

#include "spec/spec.h"
#include <stdio.h>

/* Prints the guards of a specification, behind the functions of its events. */
void guards_emit(FILE *out, const struct spec *s);

#endif
