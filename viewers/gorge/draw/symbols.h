/* The symbols that mark events. */
#ifndef GLIMPSE_GORGE_DRAW_SYMBOLS_H
#define GLIMPSE_GORGE_DRAW_SYMBOLS_H

#include "spec/spec.h"
#include "viewers/gorge/draw/drawing.h"

/*
 * Whether the symbol is made of lines; the others are filled. An event without a symbol is an
 * upright line.
 */
bool symbol_is_line(enum symbol s);

/* Adds the symbol to the drawing's figure, within a circle of the radius about (x, y). */
void symbol_add(struct drawing *d, enum symbol s, double x, double y, double radius);

#endif
