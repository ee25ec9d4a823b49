/*
 * Measures texts with a table and not with the fonts of this machine: the layout is the same
 * everywhere, and painters fit their letters to it.
 */
#ifndef GLIMPSE_GORGE_STYLE_TEXT_WIDTH_H
#define GLIMPSE_GORGE_STYLE_TEXT_WIDTH_H

#include <stdbool.h>

/*
 * Returns a copy in well-formed UTF-8, with question marks for invalid bytes and spaces for control
 * characters. The caller frees it.
 */
char *text_clean(const char *text);

/* Returns the pixels that a text takes in a font of the size, once it is cleaned. */
double text_width(const char *text, double size, bool bold);

/*
 * Returns a copy of a clean text that takes at most width: the middle of a longer one is left out,
 * for names differ at their ends. The caller frees it.
 */
char *text_fit(const char *text, double size, bool bold, double width);

#endif
