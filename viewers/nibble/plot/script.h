/*
 * A plot as a gnuplot script with its data in it. The same plot gives the same text, byte for byte.
 */
#ifndef GLIMPSE_NIBBLE_PLOT_SCRIPT_H
#define GLIMPSE_NIBBLE_PLOT_SCRIPT_H

#include "viewers/gnuplot.h"
#include "viewers/nibble/plot/plot.h"

#include <stdio.h>

/*
 * terminal: NULL leaves the choice to who runs the script. Output goes to gnuplot's standard
 * output.
 */
void script_write(FILE *out, const struct plot *p, const struct gnuplot_terminal *terminal);

#endif
