/* The parts of a gnuplot script. A panel is named by its number on the page, from 0. */
#ifndef GLIMPSE_NIBBLE_PLOT_SCRIPT_PARTS_H
#define GLIMPSE_NIBBLE_PLOT_SCRIPT_PARTS_H

#include "viewers/nibble/plot/plot.h"
#include "viewers/nibble/plot/plot_layout.h"

#include <stdio.h>

/* A text in gnuplot's single quotes: a quote is doubled; what would end the line becomes a space.
 */
void script_quote(FILE *out, const char *text);
void script_number(FILE *out, double number);

/* The data of all curves of a panel, each in a block "$panel1_curve1". */
void script_panel_data(FILE *out, const struct plot *p, size_t number);

/* What all panels share: borders, grid, widths. */
void script_look(FILE *out, const struct plot_options *options);
void script_place(FILE *out, const struct panel *p, const struct panel_layout *l);
/* how: "center", "left", "center rotate by 90" */
void script_label(FILE *out, const char *label, double x, double y, const char *how);
/* The titles and the labels of the axes. */
void script_texts(FILE *out, const struct plot *plot, size_t number, const struct panel_layout *l);
/* name: 'x' or 'y'; room: how many tics there may be */
void script_axis(FILE *out, char name, const struct axis *a, unsigned room);

/* The scale of colours of a panel of tiles. */
void script_colours(FILE *out, const struct panel *p, const struct panel_layout *l);
/* One element of the plot command, without the comma. */
void script_curve(FILE *out, const struct plot *plot, size_t number, size_t i);

#endif
