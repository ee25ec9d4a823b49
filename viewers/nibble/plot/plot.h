/*
 * Lays curves out on a page: panels one below the other, each with the curves whose values have the
 * same unit, and axes with the unit and the words that fit. Draws nothing.
 */
#ifndef GLIMPSE_NIBBLE_PLOT_PLOT_H
#define GLIMPSE_NIBBLE_PLOT_PLOT_H

#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/curve.h"
#include "viewers/nibble/series/reduce.h"

/* Families with more members get a colour ramp instead of a legend. */
enum { PLOT_LEGEND_MOST = 24 };

struct plot_options {
	char *title;            /* NULL: deduced */
	unsigned width, height; /* pixels; 0: as the panels need */
	bool log_x, log_y;
	bool grid; /* a panel for each expression, or, of one expression, for each curve */
	struct limits range; /* of time, nanoseconds */
	char *time;          /* what the axis calls it; NULL: time */
};

/* What is drawn on a page. All is borrowed. */
struct plot_content {
	const struct family *families; /* one for each expression */
	const unsigned *sections; /* of each: which of the page's plots it belongs to, rising */
	size_t n;
	char *const *headings; /* of each section, or NULL */
	const char *subject;   /* what the page is about, if nothing has a title */
};

struct plot_axis {
	struct limits range; /* base units, of what is drawn; with log only what is positive */
	struct limits shown; /* the same with some air, where it is wanted */
	struct display_unit unit;
	char *label; /* "duration (ms)"; never NULL */
	bool log;
	bool whole; /* all values are whole numbers */
};

struct panel {
	struct curve **at; /* borrowed */
	size_t n, room;
	unsigned *expressions; /* of each curve, which expression it came from */
	size_t expressions_room;
	char *title; /* NULL: none */
	bool legend;
	bool parts; /* the curves are drawn on one another */
	struct plot_axis x, y;
};

struct plot {
	struct panel *at;
	size_t n, room;
	unsigned columns;            /* panels beside one another */
	char *title;                 /* over the whole page; NULL: none */
	struct plot_options options; /* with the size settled */
};

/* Returns the largest size that a panel can have. */
struct canvas plot_canvas(const struct plot_options *options);
struct plot *plot_make(const struct plot_content *content, const struct plot_options *options);
void plot_free(struct plot *p);

#endif
