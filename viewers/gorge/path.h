/*
 * Strokes as the text of an SVG path. Commands are relative ones, and numbers whole multiples of a
 * power of ten of a pixel, which makes short texts.
 */
#ifndef GLIMPSE_GORGE_PATH_H
#define GLIMPSE_GORGE_PATH_H

#include "viewers/gorge/drawing.h"

struct path {
	char *text;             /* n bytes, not ended by a zero */
	size_t n, room;
	unsigned decimals;
	int64_t scale;          /* the power of ten: so many are a pixel */
	int64_t x, y;           /* where it has come to */
	int64_t x0, y0;         /* where the subpath began */
};

/* decimals: at most 3. */
struct path path_new(unsigned decimals);
void path_free(struct path *p);

void path_stroke(struct path *p, const struct stroke *s);
/* Pixels as one of the path's numbers, and such a number as text; it keeps apart from one before it. */
int64_t path_measure(const struct path *p, double x);
void path_number(struct path *p, int64_t n);
void path_put(struct path *p, char c);

#endif
