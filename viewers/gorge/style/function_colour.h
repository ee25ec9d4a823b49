/*
 * Gives functions colours: the same one for a function in flame graphs, icicles and bars, in the
 * page and in pictures, and in each run.
 */
#ifndef GLIMPSE_GORGE_STYLE_FUNCTION_COLOUR_H
#define GLIMPSE_GORGE_STYLE_FUNCTION_COLOUR_H

#include "viewers/gorge/style/theme.h"

/*
 * Returns the index of a function's colour in a theme's functions. It depends on the function's
 * name alone, without parameters and template arguments, which overloads share. Code without a
 * name, "0x7f00", has the last one.
 */
unsigned function_hue(const char *name);

#endif
