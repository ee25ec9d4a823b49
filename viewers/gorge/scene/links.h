/*
 * Makes few lines of many instances between lanes: those near to each other at both ends are
 * bundled.
 */
#ifndef GLIMPSE_GORGE_SCENE_LINKS_H
#define GLIMPSE_GORGE_SCENE_LINKS_H

#include "viewers/gorge/scene/scene.h"

struct links;
/* Begins the links of a scene. limit: how many it may have; more than there are keys. */
struct links *links_begin(struct scene *s, size_t limit);

/* Adds a link that stands for count instances. anchor: of the one whose ends are given. */
void links_add(struct links *l, uint32_t key, struct link_end start, struct link_end end,
	       uint64_t anchor, uint64_t count);

/*
 * Completes the links of the scene, key by key: first those that pass the window, each from the
 * smallest bundle to the largest. Frees l.
 */
void links_end(struct links *l);

#endif
