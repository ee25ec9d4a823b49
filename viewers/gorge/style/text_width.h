/*
 * Measures texts with a table and not with the fonts of this machine: the layout is the same
 * everywhere, and painters fit their letters to it.
 */
#ifndef GLIMPSE_GORGE_STYLE_TEXT_WIDTH_H
#define GLIMPSE_GORGE_STYLE_TEXT_WIDTH_H

#include <stdbool.h>

/* Returns the pixels that a text, all of it visible, takes in a font of the size. */
double text_width(const char *text, double size, bool bold);

/*
 * Returns a copy of a text, all of it visible, that takes at most width: the middle of a longer one is left out,
 * for names differ at their ends. The caller frees it.
 */
char *text_fit(const char *text, double size, bool bold, double width);

#endif
