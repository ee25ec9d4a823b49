/*
 * Prints numbers and texts to a stream, without printf: for output of a hundred million values. The
 * stream is not locked.
 */
#ifndef GLIMPSE_BASE_PRINT_H
#define GLIMPSE_BASE_PRINT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void print_int(FILE *out, int64_t number);
void print_uint(FILE *out, uint64_t number);
/* Prints an integer of [-2^63, 2^64), which every attribute of whole numbers is. */
void print_integer(FILE *out, __int128 number);
void print_text(FILE *out, const char *text);
/*
 * Prints n bytes and a newline; control characters and backslashes as octal escapes, as files of a
 * log directory have names.
 */
void print_octal_line(FILE *out, const char *bytes, size_t n);
/* Prints the shortest of 15 to 17 digits that reads back the same: "2.5", "1e+300", "nan". */
void print_real(FILE *out, double real);
/*
 * Prints n bytes so that all of them are visible (base/visible.h). The special characters get a
 * backslash; with the backslash among them the bytes can be read back.
 */
void print_escaped(FILE *out, const char *bytes, size_t n, const char *special);

#endif
