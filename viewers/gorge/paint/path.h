/*
 * Writes strokes as the text of an SVG path. Commands are relative, and numbers whole multiples of
 * a power of ten of a pixel, which makes short texts.
 */
#ifndef GLIMPSE_GORGE_PAINT_PATH_H
#define GLIMPSE_GORGE_PAINT_PATH_H

#include "viewers/gorge/draw/drawing.h"

struct path {
	char *text; /* n bytes, not ended by a zero */
	size_t n, room;
	unsigned decimals;
	int64_t scale;  /* the power of ten: so many are a pixel */
	int64_t x, y;   /* where it has come to */
	int64_t x0, y0; /* where the subpath began */
};

/* Makes a path of numbers with at most 3 decimals. */
struct path path_new(unsigned decimals);
void path_free(struct path *p);

void path_stroke(struct path *p, const struct stroke *s);
/* Returns pixels as a number of the path. */
static inline int64_t path_measure(const struct path *p, double x)
{
	double n = (x > -1e9 ? x < 1e9 ? x : 1e9 : -1e9) * (double)p->scale;

	return (int64_t)(n < 0 ? n - 0.5 : n + 0.5);
}
/* Returns the end of the text, with room for so many bytes; the caller adds to n what it writes. */
char *path_room(struct path *p, size_t bytes);

#endif
