/*
 * Writes what the page paints: JSON, with paths in the notation of SVG, which a browser reads
 * faster than any script.
 */
#ifndef GLIMPSE_GORGE_PAINT_CANVAS_H
#define GLIMPSE_GORGE_PAINT_CANVAS_H

#include "base/json.h"
#include "viewers/gorge/draw/picture.h"

/*
 * Writes a drawing as an array. Each figure is [colour, pen, dashed, path]; pen 0 fills it. A
 * figure that is level lines is [colour, pen, strips], where strips are "y: gap length gap length
 * ...;y: ...". Each text is [colour, text, x, y, size, bold, align, width].
 */
void canvas_write(const struct drawing *d, struct json *j, const char *key);
/* Writes the whole picture: its drawings, and what the page knows of it. */
void picture_write(const struct picture *p, const struct trace_index *m, FILE *out);
/* Writes members of an open object: a track's axis and the vertices of its curves. */
void track_write(const struct scene *s, const struct series_track *t, struct json *j);

/* Writes "#rrggbbaa". */
void json_colour(struct json *j, const char *key, rgba colour);

#endif
