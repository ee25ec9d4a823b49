/*
 * Reads source text, and finds positions in it. A source keeps its whole text, for diagnostics that
 * quote lines.
 */
#ifndef GLIMPSE_GRAMMAR_SOURCE_H
#define GLIMPSE_GRAMMAR_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct source {
	char *name; /* as the user wrote it: a path, or "<expression>" */
	char *text; /* NUL-terminated; length bytes before the NUL */
	size_t length;
	size_t *lines; /* offset of the first byte of each line */
	size_t nlines;
};

/* A half-open range of bytes [start, end) of a source. A value: copied, never owned. */
struct span {
	const struct source *source;
	size_t start, end;
};

/* Bytes of the largest source that is accepted. */
enum { SOURCE_LIMIT = 64 * 1024 * 1024 };

/* Reads a whole file; "-" is standard input. Returns NULL with errno set if that failed. */
struct source *source_read(const char *path);
/* Reads and closes an open file; messages show the name. Returns as source_read() does. */
struct source *source_take(const char *name, int fd);
/* Makes a source of a text (copied), such as an expression from the command line. */
struct source *source_text(const char *name, const char *text);
void source_free(struct source *s);

/* Sets line and column of an offset. Both count from 1; columns count bytes, a tab is one. */
void source_place(const struct source *s, size_t offset, size_t *line, size_t *column);

/* Returns the span from the start of a to the end of b. */
struct span span_join(struct span a, struct span b);

#endif
