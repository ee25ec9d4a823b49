/*
 * Measures texts with a table and not with the fonts of this machine: the layout is the same
 * everywhere, and painters fit their letters to it.
 */
#ifndef GLIMPSE_GORGE_STYLE_TEXT_WIDTH_H
#define GLIMPSE_GORGE_STYLE_TEXT_WIDTH_H

#include <stdbool.h>

#define ELLIPSIS "\xe2\x80\xa6"

/* Returns the pixels that a text, all of it visible, takes in a font of the size. */
double text_width(const char *text, double size, bool bold);

/*
 * Returns a copy of a text, all of it visible, that takes at most width: a longer one is cut at its
 * end, after which an ellipsis stands. The caller frees it.
 */
char *text_fit(const char *text, double size, bool bold, double width);

#endif
