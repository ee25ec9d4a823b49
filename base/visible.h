/*
 * Makes untrusted text visible for terminals, documents and messages: what a terminal would obey,
 * or nobody would see, becomes letters. These are control characters (ASCII and U+0080 to U+009F),
 * the marks that turn the direction of writing, separators of lines and paragraphs, U+FFFE and
 * U+FFFF, and bytes that are no UTF-8. They become \n, \t, \r, \xNN or \uNNNN. What is visible
 * stays as it is.
 */
#ifndef GLIMPSE_BASE_VISIBLE_H
#define GLIMPSE_BASE_VISIBLE_H

#include <stddef.h>
#include <stdio.h>

/* Returns the bytes of the character at text, of n > 0 bytes; 0 if it cannot stand for itself. */
size_t visible_length(const char *text, size_t n);

/* Bytes of the longest escape, with its NUL. */
#define VISIBLE_ESCAPE 8

/* Writes the escape of what visible_length() refuses; returns how many bytes of text it is for. */
size_t visible_escape(char escape[VISIBLE_ESCAPE], const char *text, size_t n);

/* Prints n bytes so that all of them are visible. */
void visible_print(FILE *out, const char *bytes, size_t n);
/* Prints a text so that all of it is visible. */
void visible_puts(FILE *out, const char *text);

/* Writes a text so that all of it is visible, as much as fits into the room with a NUL. */
void visible_copy(char *to, size_t room, const char *text);
/* Returns a copy of a text in which all is visible. The caller frees it. */
char *visible_text(const char *text);

#endif
