/*
 * Source text and places in it. A source keeps its whole text, so that a diagnostic can quote the
 * line.
 */
#ifndef GLIMPSE_GRAMMAR_SOURCE_H
#define GLIMPSE_GRAMMAR_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct source {
	char *name;     /* as the user wrote it: a path, or "<expression>" */
	char *text;     /* NUL-terminated; length bytes before the NUL */
	size_t length;
	size_t *lines;  /* offset of the first byte of each line */
	size_t nlines;
};

/* A half-open range of bytes [start, end) of a source. A value: copied, never owned. */
struct span {
	const struct source *source;
	size_t start, end;
};

/* Larger sources are refused: a specification is written by a person. */
enum { SOURCE_LIMIT = 64 * 1024 * 1024 };

/* Reads a whole file; "-" is standard input. NULL with errno set when it cannot be read. */
struct source *source_read(const char *path);
/* A source of the given text (copied), e.g. an expression from the command line. */
struct source *source_text(const char *name, const char *text);
void source_free(struct source *s);

/* Line and column (both from 1; columns count bytes, a tab is one) of an offset. */
void source_place(const struct source *s, size_t offset, size_t *line, size_t *column);

/* From the start of a to the end of b. */
struct span span_join(struct span a, struct span b);

#endif
