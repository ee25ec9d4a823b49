/* Draws a plot: into a file, in a window, or as text in a terminal. */
#ifndef GLIMPSE_NIBBLE_PLOT_DRAW_H
#define GLIMPSE_NIBBLE_PLOT_DRAW_H

#include "grammar/diag.h"
#include "viewers/gnuplot.h"
#include "viewers/nibble/plot/plot.h"
#include <stdbool.h>

/*
 * Returns gnuplot's terminal for the suffix of a file's name; NULL, and diag is told, if there is
 * none.
 */
const struct gnuplot_terminal *plot_terminal_for(const char *path, struct diag *diag);

/* Draws into a file. Returns false, and diag is told, if that fails. */
bool plot_draw_file(const struct plot *p, const char *path, struct diag *diag);
/* Tells whether standard output is a terminal on a desktop, where windows can be opened. */
bool plot_has_screen(void);
/* Draws in a window that gnuplot opens, if there is a display; else as text on standard output. */
bool plot_draw_here(const struct plot *p, struct diag *diag);

#endif
