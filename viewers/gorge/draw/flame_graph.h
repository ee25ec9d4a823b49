/* Draws a flame graph: a row for each depth, each frame as wide as its share. */
#ifndef GLIMPSE_GORGE_DRAW_FLAME_GRAPH_H
#define GLIMPSE_GORGE_DRAW_FLAME_GRAPH_H

#include "analysis/flame/flame.h"
#include "base/json.h"
#include "viewers/gorge/draw/drawing.h"
#include "viewers/gorge/query/view.h"

/* Takes width, height, title and theme of the view. Frees: drawing_free(). */
struct drawing *flame_draw(const struct flame *f, const struct view *v);

/*
 * Writes members of the open object: the total, and the frames that have at least a share of all,
 * parents first. Each frame has its node, depth, left edge and width as shares, name, colour, and
 * its amount in words. An "outer" frame is not of the program and leads to the program's functions,
 * as clone3() does. Above the root the least is a share of the root. amounts: what nodes have
 * instead of their own, by which colours are given; or NULL.
 */
void flame_write(const struct flame *f, const struct flame_amounts *amounts,
		 const struct theme *theme, uint32_t root, double least, struct json *j);

#endif
