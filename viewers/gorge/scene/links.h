/*
 * Many intervals between lanes become few lines: those that are near to each other at both ends are
 * bundled.
 */
#ifndef GLIMPSE_GORGE_SCENE_LINKS_H
#define GLIMPSE_GORGE_SCENE_LINKS_H

#include "viewers/gorge/scene/scene.h"

struct links;
/* limit: how many lines the scene may have; more than there are keys. */
struct links *links_begin(struct scene *s, size_t limit);

/* count: how many it stands for; anchor: of the one whose ends are given. */
void links_add(struct links *l, uint32_t key, struct link_end start, struct link_end end,
	       uint64_t anchor, uint64_t count);

/*
 * The scene's links are complete, key by key: first those that pass the window, each from the
 * smallest bundle to the largest. l is gone.
 */
void links_end(struct links *l);

#endif
