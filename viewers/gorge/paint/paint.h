/* Paints a drawing into a document. */
#ifndef GLIMPSE_GORGE_PAINT_PAINT_H
#define GLIMPSE_GORGE_PAINT_PAINT_H

#include "viewers/gorge/draw/drawing.h"
#include <stdio.h>

enum paint_format { FORMAT_SVG, FORMAT_PNG, FORMAT_PDF };

/* The suffixes of the formats, in their order, NULL at the end. */
extern const char *const format_suffixes[];

/*
 * Paints a drawing. scale: pixels of a PNG for each pixel of the drawing; other formats have no
 * pixels. Returns NULL, or what went wrong (static).
 */
const char *drawing_paint(const struct drawing *d, enum paint_format format, double scale,
			  FILE *out);

/*
 * Finds the fonts of png and pdf, and keeps what was found for later runs: nothing of that can be
 * written when the program is confined.
 */
void paint_find_fonts(void);

/* Paint a drawing in one format. */
const char *svg_paint(const struct drawing *d, FILE *out);
const char *png_paint(const struct drawing *d, double scale, FILE *out);
const char *pdf_paint(const struct drawing *d, FILE *out);

#endif
