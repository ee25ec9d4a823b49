/* Strings put together without stdio, which signal handlers must not use. */
#ifndef GLIMPSE_RUNTIME_TEXT_H
#define GLIMPSE_RUNTIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Appends `more` to a NUL-terminated text in a buffer of `size` bytes. Returns false, and leaves
 * the text unchanged, if `more` does not fit.
 */
bool gl_text_add(char *text, size_t size, const char *more);
/* Appends a number in decimal, as gl_text_add() does. */
bool gl_text_add_number(char *text, size_t size, uint64_t n);
/* Appends a number as 16 hexadecimal digits, as gl_text_add() does. */
bool gl_text_add_hex(char *text, size_t size, uint64_t n);

/*
 * Appends bytes as one line shows them: control characters and backslashes as \\ooo, in octal.
 * What does not fit is left out, whole bytes or escapes; returns false then.
 */
bool gl_text_add_visible(char *text, size_t size, const char *more);

/*
 * Reads "64M", "4096" or "1G" as a number of bytes and sets *end to the first character after it.
 * Returns false if there is no number.
 */
bool gl_text_size(const char *s, const char **end, uint64_t *bytes);

#endif
