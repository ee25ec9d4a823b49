/*
 * Paints a drawing for the canvas of the page: as JSON, with paths in the notation of SVG, which a
 * browser reads faster than any script.
 */
#ifndef GLIMPSE_GORGE_PAINT_CANVAS_H
#define GLIMPSE_GORGE_PAINT_CANVAS_H

#include "base/json.h"
#include "viewers/gorge/draw/drawing.h"

/*
 * An array: [colour, pen, dashed, path] of each figure (pen 0 fills it); [colour, pen, strips] of one
 * that is level lines: "y: gap length gap length ...;y: ..."; and [colour, text, x, y, size, bold, align,
 * width] of each text.
 */
void paint_page(const struct drawing *d, struct json *j, const char *key);

/* "#rrggbbaa" */
void json_colour(struct json *j, const char *key, rgba colour);

#endif
