/* Prints code: what the targets share. */
#ifndef GLIMPSE_CODEGEN_EMIT_H
#define GLIMPSE_CODEGEN_EMIT_H

#include "spec/spec.h"
#include <stddef.h>
#include <stdio.h>

/* A list whose lines are broken where they would grow too long. */
struct wrap {
	FILE *out;
	unsigned column;     /* of the end of the line, a tab counted as 8 */
	const char *between; /* printed between two lines: "\n" and white space */
};

enum { WRAP_COLUMNS = 100 };

/*
 * Prints an item, on the next line if it does not fit on this one; a space at its beginning is then
 * dropped. An item has no tab or newline.
 */
__attribute__((format(printf, 2, 3))) void wrap_item(struct wrap *w, const char *format, ...);

/*
 * Prints bytes as a string literal of C or Java. The characters in `escaped` get a backslash; those
 * that are not printable ASCII are written in octal.
 */
void literal_emit(FILE *out, const char *bytes, size_t length, const char *escaped);

/* Returns the file name of a specification, without the directory, for comments. */
const char *spec_origin(const struct spec *s);

/*
 * Returns a name that no attribute of an event has: base, suffix and as many underscores as it
 * takes. The caller frees it.
 */
char *local_name(const struct event_type *e, const char *base, const char *suffix);
/* Returns the n-th string of an event. */
const struct attribute *event_string(const struct event_type *e, unsigned n);

#endif
