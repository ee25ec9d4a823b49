/*
 * Text as fields of CSV, as RFC 4180 has them. Hidden characters and line breaks are escapes, as in
 * base/visible.h: for programs that read line by line, and for terminals.
 */
#ifndef GLIMPSE_BASE_CSV_H
#define GLIMPSE_BASE_CSV_H

#include <stdio.h>

/* Writes a text as a field, in quotes only if it has to be. */
void csv_write_field(FILE *out, const char *text);
/* Writes a text as a part of a field that the caller puts in quotes: doubles the text's quotes. */
void csv_write_quoted(FILE *out, const char *text);

#endif
