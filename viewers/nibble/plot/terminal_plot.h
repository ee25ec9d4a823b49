/* A plot as text: curves of Braille dots, eight to a letter, for terminals. */
#ifndef GLIMPSE_NIBBLE_PLOT_TERMINAL_PLOT_H
#define GLIMPSE_NIBBLE_PLOT_TERMINAL_PLOT_H

#include "viewers/nibble/plot/plot.h"

#include <stdio.h>

/*
 * As wide as the terminal, or 80 letters when out is none; in colour when it is one and NO_COLOR is
 * not set.
 */
void plot_draw_terminal(FILE *out, const struct plot *p);

#endif
