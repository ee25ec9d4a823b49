/*
 * Writes a plot as a gnuplot script with its data. The same plot gives the same text, byte for
 * byte.
 */
#ifndef GLIMPSE_NIBBLE_PLOT_SCRIPT_H
#define GLIMPSE_NIBBLE_PLOT_SCRIPT_H

#include "viewers/gnuplot.h"
#include "viewers/nibble/plot/plot.h"
#include <stdio.h>

/*
 * Writes the script, whose output goes to gnuplot's standard output. terminal: NULL leaves the
 * choice to the user of the script.
 */
void script_write(FILE *out, const struct plot *p, const struct gnuplot_terminal *terminal);

#endif
