/* Names put together without stdio, which signal handlers may not use. */
#ifndef GLIMPSE_RUNTIME_TEXT_H
#define GLIMPSE_RUNTIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Appends to a NUL-terminated text in a buffer of `size` bytes. False, and the text unchanged,
 * when it does not fit.
 */
bool gl_text_add(char *text, size_t size, const char *more);
bool gl_text_add_number(char *text, size_t size, uint64_t n);
bool gl_text_add_hex(char *text, size_t size, uint64_t n);

/*
 * "64M", "4096", "1G" as a number of bytes; *end is where it stopped. False when there is no
 * number.
 */
bool gl_text_size(const char *s, const char **end, uint64_t *bytes);

#endif
