/*
 * Writes what the page paints: JSON, with paths in the notation of SVG, which a browser reads
 * faster than any script.
 */
#ifndef GLIMPSE_GORGE_PAINT_CANVAS_H
#define GLIMPSE_GORGE_PAINT_CANVAS_H

#include "base/json.h"
#include "viewers/gorge/draw/picture.h"

/*
 * Writes a drawing as an array: [colour, pen, dashed, path] of each figure (pen 0 fills it);
 * [colour, pen, strips] of one that is level lines: "y: gap length gap length ...;y: ..."; and
 * [colour, text, x, y, size, bold, align, width] of each text.
 */
void canvas_write(const struct drawing *d, struct json *j, const char *key);
/* Writes the whole picture: its drawings, and what the page knows of it. */
void picture_write(const struct picture *p, const struct trace_index *m, FILE *out);
/* Writes members of an open object: a track's axis and the vertices of its curves. */
void track_write(const struct scene *s, const struct series_track *t, struct json *j);

/* Writes "#rrggbbaa". */
void json_colour(struct json *j, const char *key, rgba colour);

#endif
