/*
 * Draws the legend of a picture with states in one line: what the colours of a thread's row mean,
 * then what else is drawn. A page shows the same line.
 */
#ifndef GLIMPSE_GORGE_DRAW_LEGEND_LINE_H
#define GLIMPSE_GORGE_DRAW_LEGEND_LINE_H

#include "base/array.h"
#include "viewers/gorge/scene/scene.h"

enum legend_form { LEGEND_TALL, LEGEND_LOW, LEGEND_LINE, LEGEND_SYMBOL };

struct legend_entry {
	enum legend_form form;
	rgba colour;
	enum symbol symbol;
	char *text;
};

struct legend_line {
	VECTOR(struct legend_entry) entries;
};

struct legend_line legend_line_of(const struct scene *s);
void legend_line_free(struct legend_line *l);

struct drawing;
/* Draws the sample of an entry, 15 wide, at x above the base line y of its text. */
void legend_sample_draw(struct drawing *d, const struct legend_entry *e, double x, double y);
/* Draws it below y; returns where it ends. */
double legend_line_draw(struct drawing *d, const struct scene *s, double y);

#endif
