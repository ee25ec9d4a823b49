/* Draws a plot as text, for terminals: curves of Braille dots, eight to a letter. */
#ifndef GLIMPSE_NIBBLE_PLOT_TERMINAL_PLOT_H
#define GLIMPSE_NIBBLE_PLOT_TERMINAL_PLOT_H

#include "viewers/nibble/plot/plot.h"
#include <stdio.h>

/*
 * Draws as wide as the terminal, or 80 letters if out is none; in colour if out is one and NO_COLOR
 * is not set.
 */
void plot_draw_terminal(FILE *out, const struct plot *p);

#endif
