/* Runs gnuplot, which must be in PATH (Debian: gnuplot-nox), on a script. */
#ifndef GLIMPSE_VIEWERS_GNUPLOT_H
#define GLIMPSE_VIEWERS_GNUPLOT_H

#include "grammar/diag.h"
#include <stdio.h>

/* One kind of picture that gnuplot draws. */
struct gnuplot_terminal {
	const char *name;  /* gnuplot's: "pngcairo" */
	double per_inch;   /* its unit of size in an inch of 96 pixels: 96 when it counts pixels */
	double font_scale; /* its unit of font size in a point */
	const char *font;
	const char *options;
};

/* The terminals for files: png, svg, pdf, in this order. */
extern const struct gnuplot_terminal gnuplot_terminals[];

/* Returns the window that gnuplot can open here, or NULL. Runs gnuplot to find out. */
const struct gnuplot_terminal *gnuplot_window(void);

/*
 * Ends the script of a window: gnuplot fails if there is none. Some windows leave that to be seen:
 * without a display, gnuplot complains and exits with 0.
 */
void gnuplot_window_check(FILE *script, const struct gnuplot_terminal *window);

/*
 * Writes the "set terminal" line for a picture of width by height pixels with text of that many
 * points.
 */
void gnuplot_terminal_write(FILE *out, const struct gnuplot_terminal *t, unsigned width,
			    unsigned height, double points);

/* Makes a file without a name, in memory. Returns NULL, with errno set, if that fails. */
FILE *gnuplot_file(void);

/*
 * Runs gnuplot on the script from its start; the picture goes to the file descriptor out. Returns 0
 * if it drew: its exit status is 0, and if out is a file, there is something in it. Else diag is
 * told what is wrong. Warnings are left out.
 */
int gnuplot_run(FILE *script, int out, struct diag *diag);

#endif
