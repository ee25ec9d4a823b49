/* A flame graph as a picture: a row for each depth, each frame as wide as its share. */
#ifndef GLIMPSE_GORGE_DRAW_FLAME_GRAPH_H
#define GLIMPSE_GORGE_DRAW_FLAME_GRAPH_H

#include "analysis/flame/flame.h"
#include "viewers/gorge/draw/drawing.h"
#include "viewers/gorge/query/view.h"

/* Takes width, height, title and theme of the view. Frees: drawing_free(). */
struct drawing *flame_draw(const struct flame *f, const struct view *v);

#endif
