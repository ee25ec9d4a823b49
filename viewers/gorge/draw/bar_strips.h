/*
 * Bars as strokes, brush by brush: a dense picture has ten thousands of them, so those of each lane are made on
 * whichever processor is free.
 */
#ifndef GLIMPSE_GORGE_DRAW_BAR_STRIPS_H
#define GLIMPSE_GORGE_DRAW_BAR_STRIPS_H

#include "viewers/gorge/draw/drawing.h"
#include "viewers/gorge/draw/layout.h"

struct box {
	double x, y, width, height;
};
struct box bar_box(const struct layout *l, const struct bar *b);

/* Single bars as lines as broad as they are high; their outlines; runs, as lines too. */
enum bar_part { PART_SINGLES, PART_OUTLINES, PART_RUNS, BAR_PARTS };

struct bar_strips;

/* Of the intervals that are bars; the scene and the layout must stay until it is freed. */
struct bar_strips *bar_strips_new(const struct scene *s, const struct layout *l);
/* Draws a part of one interval's, or of all. */
enum { ALL_KEYS = -1 };
void bar_strips_draw(const struct bar_strips *strips, struct drawing *d, enum bar_part part, int key);
void bar_strips_free(struct bar_strips *strips);

#endif
