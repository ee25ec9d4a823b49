/* String literals of languages that write them as C does. */
#ifndef GLIMPSE_CODEGEN_LITERAL_H
#define GLIMPSE_CODEGEN_LITERAL_H

#include <stddef.h>
#include <stdio.h>

/*
 * Prints the bytes in quotes. `escaped`: the characters that take a backslash; what is no plain ASCII
 * goes in octal.
 */
void literal_emit(FILE *out, const char *bytes, size_t length, const char *escaped);

#endif
