/*
 * The widths of texts, from a table and not from the fonts of this machine: the layout is the same
 * everywhere, and painters fit their letters to it.
 */
#ifndef GLIMPSE_GORGE_STYLE_TEXT_WIDTH_H
#define GLIMPSE_GORGE_STYLE_TEXT_WIDTH_H

#include <stdbool.h>

/*
 * A copy (to be freed) in well-formed UTF-8 without control characters; what is not, becomes a
 * question mark.
 */
char *text_clean(const char *text);

/* Pixels that a text takes in a font of the size, when it is cleaned. */
double text_width(const char *text, double size, bool bold);

/*
 * A copy (to be freed) of a clean text that takes at most width: of a longer one the middle is left
 * out, for names differ at their ends.
 */
char *text_fit(const char *text, double size, bool bold, double width);

#endif
