/*
 * Writes text as fields of CSV (RFC 4180). Hidden characters and line breaks are escapes, as in
 * base/visible.h: for programs that read line by line, and for terminals.
 */
#ifndef GLIMPSE_BASE_CSV_H
#define GLIMPSE_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes a text as a field, in quotes only if it has to be. */
void csv_write_field(FILE *out, const char *text);
/* Writes a text as a part of a field that the caller puts in quotes: doubles the text's quotes. */
void csv_write_quoted(FILE *out, const char *text);

/*
 * Returns whether a field with these bytes must be in quotes. Line breaks are escapes, and ask for
 * none.
 */
bool csv_needs_quotes(const char *bytes, size_t n);
/*
 * Writes bytes as a part of a field: the special characters get a backslash, and quotes are doubled
 * where the field is quoted.
 */
void csv_write_escaped(FILE *out, const char *bytes, size_t n, const char *special, bool quoted);

#endif
