/* Makes few bars of many instances: those narrower than a pixel share it. */
#ifndef GLIMPSE_GORGE_SCENE_BARS_H
#define GLIMPSE_GORGE_SCENE_BARS_H

#include "viewers/gorge/scene/scene.h"

/* Collects the bars of a scene. Several threads may add to it, each to lanes of its own. */
struct bars;
/* rows: how many a lane may have that does not know its rows yet. */
struct bars *bars_begin(struct scene *s, unsigned rows);

/*
 * Adds the next instance that touches the window, row by row in the order of their starts. If
 * several start together, the longest comes first. After the last row comes the first. anchor: the
 * id of its anchor.
 */
void bars_put(struct bars *b, uint32_t lane, uint32_t row, uint32_t key, int64_t start, int64_t end,
	      uint64_t anchor);
/* Adds count instances in one column; together they cover this many nanoseconds. */
void bars_narrow(struct bars *b, uint32_t lane, uint32_t row, uint32_t key, int32_t column,
		 uint64_t count, double cover, uint64_t anchor);

/* Returns the nanoseconds of an instance that may be as wide as a pixel; shorter ones are not. */
int64_t bars_wide(const struct scene *s);

/* Completes the bars of the scene, lane by lane, and the rows of its lanes; frees b. */
void bars_end(struct bars *b);

#endif
